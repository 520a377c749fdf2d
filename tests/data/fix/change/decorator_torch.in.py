from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn


class Frozen(nn.Module):
    @torch.no_grad()
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class Bare(nn.Module):
    @torch.inference_mode
    def forward(self, x: Tensor) -> Tensor:
        return x * 3


class Compiled(nn.Module):
    @torch.compile(backend="eager")
    def forward(self, x: Tensor) -> Tensor:
        return x * 4


class Exported(nn.Module):
    @torch.jit.export
    def forward(self, x: Tensor) -> Tensor:
        return x * 5
