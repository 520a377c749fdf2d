"""Calls of modules and, behind them, the type that checkers must reveal, or `error`; `ty: X` where ty alone says X."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from torch import Tensor, device, nn
from torch.nn.modules.module import _addindent, _IncompatibleKeys, register_module_forward_hook
from typing_extensions import reveal_type

T = TypeVar("T")


class Net(nn.Module):
    def forward(self, x: Tensor, *, scale: float = 1.0) -> tuple[Tensor, int]:
        return x * scale, 1


class Child(Net):
    def forward(self, x: Tensor, *, scale: float = 1.0) -> tuple[Tensor, int]:
        return super().__call__(x, scale=scale)


class Fixed(nn.Module):
    def forward(self, x: Tensor, n: int = 1) -> Tensor:
        return x * n

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, n: int = 1) -> Tensor: ...  # ty: error


class OwnCall(nn.Module):
    def __call__(self, x: Tensor) -> int:  # ty: error
        return len(x)


class Box(nn.Module, Generic[T]):
    def forward(self, x: T) -> list[T]:
        return [x]


class Blocks(nn.ModuleList):
    pass


def apply(f: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    return f(x)


def main(any_module: nn.Module, either: nn.Linear | nn.ReLU, kind: type[Net], x: Tensor) -> None:
    reveal_type(nn.Linear(1, 2)(x))  # Tensor
    reveal_type(nn.LSTM(1, 2)(x))  # tuple[Tensor, tuple[Tensor, Tensor]]; ty: Unknown; from torch: 2.13
    reveal_type(nn.MultiheadAttention(2, 1)(x, x, x))  # tuple[Tensor, Tensor | None]
    reveal_type(either(x))  # Tensor
    reveal_type(any_module(x, 1, k=2))  # Any
    reveal_type(Net()(x, scale=2.0))  # tuple[Tensor, int]
    reveal_type(Child()(x))  # tuple[Tensor, int]
    reveal_type(kind()(x))  # tuple[Tensor, int]
    reveal_type(Fixed()(x, 2))  # Tensor
    reveal_type(OwnCall()(x))  # int
    reveal_type(Box[int]()(1))  # list[int]
    reveal_type(any_module.get_parameter("w"))  # Parameter
    reveal_type(Net().eval())  # Net
    reveal_type(device("cpu"))  # device
    Net()(1)  # error
    Net()(x, scal=1.0)  # error
    Net()()  # error
    apply(nn.Linear(1, 2), x)
    apply(any_module, x)
    apply(Fixed(), x)
    apply(Net(), x)  # error
    for block in Blocks([Net()]):
        reveal_type(block(x))  # Any
    _IncompatibleKeys([], [])
    _addindent("a", 2)
    register_module_forward_hook(lambda *_: None)
