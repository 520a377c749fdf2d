from typing import Generic, TypeVar

from torch import Tensor, nn

M = TypeVar("M", bound=nn.Module)


class Trainer(Generic[M]):
    def __init__(self, module: M) -> None:
        self.module = module

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.module(x)
        return y


class Modules(list[nn.Module]):
    def forward(self, x: Tensor) -> Tensor:
        return x
