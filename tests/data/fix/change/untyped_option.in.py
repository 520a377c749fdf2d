# options: --untyped
from typing import TYPE_CHECKING

from torch import nn


class Plain(nn.Module):
    def forward(self, x, mask=None, *args, dim=-1, **kwargs):
        return x
