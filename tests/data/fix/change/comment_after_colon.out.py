from typing import TYPE_CHECKING

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:  # the fast path
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Linted(nn.Module):
    def forward(self, x: Tensor, I: int) -> Tensor:  # noqa: E741
        return x[I]

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, I: int) -> Tensor: ...  # noqa: E741


MODEL = Net()
