from typing import TYPE_CHECKING

from torch import Tensor, nn


class Scripted(nn.Module):
    def forward(self, x, mask=None, *rest, **options):
        # type: (Tensor, Tensor, *int, **str) -> Tensor
        return x


class Unbalanced(nn.Module):
    def forward(self, x, y):
        # type: (Tensor) -> Tensor
        return x + y
