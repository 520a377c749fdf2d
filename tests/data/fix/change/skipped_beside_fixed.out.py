from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn


class Hand(nn.Module):
    __call__: Callable[..., Any]

    def forward(self, x: Tensor) -> Tensor:
        return x


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
