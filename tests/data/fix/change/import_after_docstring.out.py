"""Blocks for the encoder.

They are small.
"""

from typing import TYPE_CHECKING

import torch
from torch import Tensor


class Block(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
