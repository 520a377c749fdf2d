from typing import TYPE_CHECKING, TypeVar

from torch import nn

T = TypeVar("T")


class Passthrough(nn.Module):
    def forward(self, x: T) -> T:
        return x
