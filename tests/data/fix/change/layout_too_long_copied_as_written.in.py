from typing import TYPE_CHECKING

from torch import Tensor, nn


class Long(nn.Module):
    def forward(self, tokens: Tensor, memory: Tensor, memory_mask: Tensor, offset: int) -> Tensor:
        return tokens + memory * memory_mask + offset
