from typing import TYPE_CHECKING

from torch import Tensor, nn


class Hollow(nn.Module):
    def forward(self, x: Tensor) -> Tensor:  # type: ignore[empty-body]
        """Does nothing yet."""

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Partial(nn.Module):
    def forward(self, x: Tensor) -> Tensor:  # type: ignore[return]
        if self.training:
            return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
