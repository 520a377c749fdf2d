import sys
from typing import TYPE_CHECKING

from torch import Tensor, nn

if sys.platform == "never":
    from typing import TYPE_CHECKING, Any

    SEEN: Any = TYPE_CHECKING


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
