from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return x if mask is None else x * mask

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor: ...


class Child(Block):
    def forward(self, x: Tensor, mask: Tensor | None = None, scale: int = 1) -> Tensor:
        return x * scale

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, x: Tensor, mask: Tensor | None = None, scale: int = 1
        ) -> Tensor: ...
