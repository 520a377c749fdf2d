from typing import TYPE_CHECKING

from torch import Tensor

from .base import Encoder


class Strict(Encoder):
    def forward(self, x: Tensor, n: int) -> Tensor:  # type: ignore[override]
        return x * n
