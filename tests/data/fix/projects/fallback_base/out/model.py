from typing import TYPE_CHECKING

from compat import Module
from torch import Tensor


class Net(Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
