# options: --style runtime
from typing import TYPE_CHECKING

from torch import Tensor, nn

if TYPE_CHECKING:
    from collections.abc import Sequence


class Block(nn.Module):
    def forward(self, x: Tensor, sizes: "Sequence[int]") -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, sizes: "Sequence[int]") -> Tensor: ...

    def extra(self) -> int:
        return 1
