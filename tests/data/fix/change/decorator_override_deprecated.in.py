from typing import TYPE_CHECKING

from torch import Tensor, nn
from typing_extensions import deprecated, override


class Base(nn.Module):
    @deprecated("use Block")
    def forward(self, x: Tensor) -> Tensor:
        return x


class Block(Base):
    @override
    def forward(self, x: Tensor) -> Tensor:
        return x + 1
