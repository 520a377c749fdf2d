from typing import TYPE_CHECKING

from torch import Tensor, nn
from typing_extensions import deprecated, override


class Base(nn.Module):
    @deprecated("use Block")
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        @deprecated("use Block")
        def __call__(self, x: Tensor) -> Tensor: ...


class Block(Base):
    @override
    def forward(self, x: Tensor) -> Tensor:
        return x + 1

    if TYPE_CHECKING:  # shapecheck: from forward

        @override
        def __call__(self, x: Tensor) -> Tensor: ...
