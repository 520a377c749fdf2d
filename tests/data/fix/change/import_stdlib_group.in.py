import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from warnings import warn

import torch
from torch import Tensor, nn


@dataclass
class Config:
    dim: int = 8
    sizes: Sequence[int] = (1,)


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if os.environ.get("DEBUG"):
            warn("slow", stacklevel=2)
        return torch.relu(x) / math.sqrt(2)
