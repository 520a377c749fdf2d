from typing import TYPE_CHECKING

from torch import Tensor, nn


class Base(nn.Module):
    def forward(self, x: Tensor) -> Tensor: return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Pair(Base):
    def forward(self, x: Tensor, y: Tensor) -> Tensor: return x + y  # type: ignore[override]

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...  # type: ignore[override]
