from typing import TYPE_CHECKING

from torch import Tensor, nn


def make(scale: float) -> nn.Module:
    class Scaled(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x * scale

        if TYPE_CHECKING:  # shapecheck: from forward

            def __call__(self, x: Tensor) -> Tensor: ...

    return Scaled()
