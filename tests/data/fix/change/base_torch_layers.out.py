from typing import TYPE_CHECKING

from torch import Tensor, nn


class ScaledLinear(nn.Linear):
    def forward(self, input: Tensor) -> Tensor:
        return super().forward(input) * 2

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, input: Tensor) -> Tensor: ...


class Stack(nn.Sequential):
    def forward(self, input: Tensor) -> Tensor:
        for layer in self:
            input = layer(input)
        return input

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, input: Tensor) -> Tensor: ...


class Blocks(nn.ModuleList):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Attentive(nn.MultiheadAttention):
    pass


class Weighted(Attentive):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
