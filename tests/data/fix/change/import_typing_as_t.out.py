import typing as t

import torch
from torch import Tensor


class Block(torch.nn.Module):
    def forward(self, x: Tensor) -> t.Optional[Tensor]:
        return x

    if t.TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> t.Optional[Tensor]: ...
