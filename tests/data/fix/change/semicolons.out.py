from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = x * 2; return y  # noqa: E702

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
