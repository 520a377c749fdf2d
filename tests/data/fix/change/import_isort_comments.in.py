# isort: skip_file
from torch import Tensor, nn  # isort: skip
import math


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x / math.pi
