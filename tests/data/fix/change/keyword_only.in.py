from typing import TYPE_CHECKING

from torch import Tensor, nn


class Pool(nn.Module):
    def forward(self, x: Tensor, *, dim: int, keepdim: bool = False) -> Tensor:
        return x.mean(dim, keepdim=keepdim)
