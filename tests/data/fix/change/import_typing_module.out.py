import typing

import torch
from torch import Tensor


class Block(torch.nn.Module):
    def forward(self, x: Tensor, mask: typing.Optional[Tensor] = None):
        return x

    if typing.TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, x: Tensor, mask: typing.Optional[Tensor] = None
        ) -> typing.Any: ...
