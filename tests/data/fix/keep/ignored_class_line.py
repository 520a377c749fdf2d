# tally: ignored by comment
from torch import Tensor, nn


class Net(nn.Module):  # shapecheck: ignore
    def forward(self, x: Tensor) -> Tensor:
        return x
