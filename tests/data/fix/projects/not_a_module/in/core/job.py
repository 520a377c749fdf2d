from torch import Tensor

from .base import Module


class Job(Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
