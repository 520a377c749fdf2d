from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn


class Concat(nn.Module):
    def forward(self, first: Tensor, *rest: Tensor, dim: int = -1) -> Tensor:
        return torch.cat((first, *rest), dim=dim)

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, first: Tensor, *rest: Tensor, dim: int = -1) -> Tensor: ...
