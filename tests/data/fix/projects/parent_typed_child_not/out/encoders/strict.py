from typing import TYPE_CHECKING

from torch import Tensor

from .base import Encoder


class Strict(Encoder):
    def forward(self, x: Tensor, n: int) -> Tensor:  # type: ignore[override]
        return x * n

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, n: int) -> Tensor: ...  # type: ignore[override]
