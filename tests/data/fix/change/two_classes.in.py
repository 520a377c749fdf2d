from typing import TYPE_CHECKING

from torch import Tensor, nn


class Down(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x[..., ::2]


class Up(nn.Module):
    def forward(self, x: Tensor, times: int = 2) -> Tensor:
        return x.repeat_interleave(times, dim=-1)
