from typing import TYPE_CHECKING, cast

from torch import Tensor, nn


class Inner(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Outer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor) -> Tensor:
        y = cast(Tensor, self.inner(x))
        return self.inner(y)  # type: ignore[no-any-return]
