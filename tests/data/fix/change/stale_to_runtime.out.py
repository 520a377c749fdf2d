# options: --style runtime
from typing import TYPE_CHECKING

from torch import Tensor, nn

if TYPE_CHECKING:
    from collections.abc import Sequence


class Block(nn.Module):
    def forward(self, x: Tensor, sizes: "Sequence[int]") -> Tensor:
        return x

    def __call__(
        self, x: Tensor, sizes: "Sequence[int]"
    ) -> Tensor:  # shapecheck: from forward
        result: Tensor = super().__call__(x, sizes)
        return result

    def extra(self) -> int:
        return 1
