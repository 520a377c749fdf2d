from typing import Protocol

from torch import Tensor


class HasForward(Protocol):
    def forward(self, x: Tensor) -> Tensor: ...
