from typing import TYPE_CHECKING

from torch import Tensor, nn


class Outer(nn.Module):
    class Inner(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x

        if TYPE_CHECKING:  # shapecheck: from forward

            def __call__(self, x: Tensor) -> Tensor: ...

    def __init__(self) -> None:
        super().__init__()
        self.inner = self.Inner()

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) + 1

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
