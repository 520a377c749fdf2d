from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn


class Block(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        y: Tensor = self.proj(x)
        return y if mask is None else torch.where(mask, y, x)

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor: ...
