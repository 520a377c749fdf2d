# tally: @batched may change the signature
from torch import Tensor, nn


def batched(fn):
    def run(self, batch):
        return [fn(self, item) for item in batch]

    return run


class Net(nn.Module):
    @batched
    def forward(self, x: Tensor) -> Tensor:
        return x
