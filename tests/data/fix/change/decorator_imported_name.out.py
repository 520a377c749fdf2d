from typing import TYPE_CHECKING

from torch import Tensor, nn, no_grad
from torch.compiler import disable as skip_compile


class Teacher(nn.Module):
    @no_grad()
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Eager(nn.Module):
    @skip_compile
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
