from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):  # shapecheck: ignore[direct-forward]
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Skipped(nn.Module):  # shapecheck: ignore[untyped-call]
    def forward(self, x: Tensor) -> Tensor:
        return x
