# isort: skip_file
from torch import Tensor, nn  # isort: skip
import math
from typing import TYPE_CHECKING


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x / math.pi

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
