from typing import TYPE_CHECKING

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x):
        # type: (Tensor) -> Tensor
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
