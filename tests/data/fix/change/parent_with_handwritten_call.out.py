from typing import TYPE_CHECKING

from torch import Tensor, nn


class Base(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    def __call__(self, x: Tensor) -> Tensor:
        result: Tensor = super().__call__(x)
        return result


class Child(Base):
    def forward(self, x: Tensor, y: int) -> Tensor:  # type: ignore[override]
        return x + y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, y: int) -> Tensor: ...  # type: ignore[override]
