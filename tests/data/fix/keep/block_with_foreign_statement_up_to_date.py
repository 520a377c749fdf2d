from typing import TYPE_CHECKING

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:
        # a block of ours, without the marker
        def __call__(self, x: Tensor) -> Tensor: ...
