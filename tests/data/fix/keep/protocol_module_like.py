from typing import Protocol, runtime_checkable

from torch import Tensor


@runtime_checkable
class ModuleLike(Protocol):
    def forward(self, x: Tensor) -> Tensor: ...

    def __call__(self, x: Tensor) -> Tensor: ...
