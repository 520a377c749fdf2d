import typing

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor):
        return x

    if typing.TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> typing.Any: ...
