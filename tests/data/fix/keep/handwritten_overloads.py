# tally: hand-written __call__
from typing import TYPE_CHECKING, overload

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor | list[Tensor]) -> Tensor | list[Tensor]:
        return x

    if TYPE_CHECKING:

        @overload
        def __call__(self, x: Tensor) -> Tensor: ...

        @overload
        def __call__(self, x: list[Tensor]) -> list[Tensor]: ...

        def __call__(self, x: Tensor | list[Tensor]) -> Tensor | list[Tensor]: ...
