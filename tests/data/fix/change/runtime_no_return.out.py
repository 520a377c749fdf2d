# options: --style runtime
from typing import Any

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor):
        return x

    def __call__(self, x: Tensor) -> Any:  # shapecheck: from forward
        return super().__call__(x)
