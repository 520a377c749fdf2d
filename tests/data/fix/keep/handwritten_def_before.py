# tally: hand-written __call__
from torch import Tensor, nn


class Net(nn.Module):
    def __call__(self, *args, **kwargs):
        return super().__call__(*args, **kwargs)

    def forward(self, x: Tensor) -> Tensor:
        return x
