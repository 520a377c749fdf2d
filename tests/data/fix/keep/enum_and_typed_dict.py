from enum import Enum
from typing import TypedDict

from torch import Tensor


class Direction(Enum):
    FORWARD = 1

    def forward(self, x: Tensor) -> Tensor:
        return x


class Options(TypedDict):
    forward: bool
