# tally: @lru_cache may change the signature
from functools import lru_cache

from torch import Tensor, nn


class Net(nn.Module):
    @lru_cache(maxsize=2)
    def forward(self, x: Tensor) -> Tensor:
        return x
