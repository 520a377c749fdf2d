# tally: ignored by comment
from typing import TYPE_CHECKING

from torch import Tensor, nn


class Net(nn.Module):  # shapecheck: ignore
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return x + y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
