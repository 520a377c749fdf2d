from typing import TYPE_CHECKING

from torch import Tensor, nn


class Base(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Child(Base):
    scale = 2
