from typing import TYPE_CHECKING

import deco
from deco import keep, swap
from torch import Tensor, nn


class Kept(nn.Module):
    @keep
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Swapped(nn.Module):
    @swap
    def forward(self, x: Tensor) -> Tensor:
        return x


class Attribute(nn.Module):
    @deco.keep
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
