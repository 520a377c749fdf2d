# tally: ignored by comment
from torch import Tensor, nn


class Net(  # shapecheck: ignore
    nn.Module,
):
    def forward(self, x: Tensor) -> Tensor:
        return x
