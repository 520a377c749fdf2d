"""Containers and pooling layers and, behind them, the type that checkers must reveal, as in calls.py."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from torch import Tensor, nn
from typing_extensions import reveal_type


class A(nn.Module):
    steps: int = 1

    def forward(self, x: Tensor) -> tuple[Tensor, int]:
        return x, 1


class B(nn.Module):
    def forward(self, x: Tensor) -> int:
        return len(x)


class Fixed(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...  # ty: error


class Stage(nn.Sequential):
    def __init__(self, width: int) -> None:
        super().__init__(nn.Linear(width, width), nn.ReLU())


class Chain(nn.ModuleList):
    def __init__(self, depth: int) -> None:
        super().__init__(A() for _ in range(depth))

    def forward(self, x: Tensor) -> Tensor:
        for block in self:
            x = block(x)
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...  # ty: error


class Net(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.empty = nn.ModuleList()
        self.filled_later = nn.ModuleList([])
        self.blocks = nn.ModuleList([A() for _ in range(depth)])
        self.pairs = nn.ModuleList([nn.ModuleList([Fixed(), nn.ReLU()]) for _ in range(depth)])
        self.named: nn.ModuleDict[A] = nn.ModuleDict({"a": A()})
        self.blocks.append(B())  # no error
        self.filled_later.extend([B(), A()])

    def forward(self, x: Tensor) -> Tensor:
        reveal_type(self.empty[0](x))  # Any
        reveal_type(self.filled_later[0](x))  # Any; ty: Unknown; pyrefly: Unknown
        reveal_type(self.blocks[0](x))  # tuple[Tensor, int]
        reveal_type(self.blocks[1:])  # ModuleList[A]
        reveal_type(self.blocks.eval())  # ModuleList[A]
        for block in self.blocks[1:]:
            reveal_type(block.steps)  # int
        for first, second in self.pairs:
            reveal_type(first(second(x)))  # Tensor; mypy: Any
        reveal_type(self.named["a"](x))  # tuple[Tensor, int]
        for item in self.named.values():
            reveal_type(item(x))  # tuple[Tensor, int]
        return x


def take_blocks(blocks: nn.ModuleList[A]) -> None: ...


def lists(some: nn.ModuleList, named: nn.ModuleDict, x: Tensor) -> None:
    reveal_type(some[0](x))  # Any
    reveal_type(named["a"](x))  # Any
    reveal_type(nn.ModuleList([A(), B()])[0])  # A | B; mypy: Module
    reveal_type(nn.ModuleList(some)[0])  # Module
    reveal_type(nn.ModuleDict({"a": A(), "b": B()})["a"])  # A | B; mypy: Module
    reveal_type(nn.ModuleDict().pop("a"))  # Module
    reveal_type(Chain(2)[0])  # Module
    reveal_type(Chain(2)(x))  # Tensor
    some = nn.ModuleList([B()])
    take_blocks(nn.ModuleList([B()]))  # error
    nn.ModuleList([1])  # error
    nn.ModuleList([A(), None])  # error
    nn.ModuleDict({"a": 1})  # error


def sequentials(layers: list[nn.Module], some: nn.Sequential, either: bool, x: Tensor) -> None:
    reveal_type(nn.Sequential(nn.Linear(1, 1))(x))  # Tensor
    reveal_type(nn.Sequential(A(), nn.ReLU(), Fixed())(x))  # Tensor
    reveal_type(nn.Sequential(nn.ReLU(), A())(x))  # tuple[Tensor, int]
    reveal_type(nn.Sequential(nn.ReLU(), nn.Sequential(A(), B()))(x))  # int
    reveal_type(nn.Sequential(nn.ReLU(), nn.Identity() if either else nn.ReLU())(x))  # Tensor
    reveal_type(nn.Sequential(*layers, nn.ReLU())(x))  # Tensor
    reveal_type(nn.Sequential(*layers)(x))  # Any
    reveal_type(nn.Sequential()(x))  # Any
    reveal_type(nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Linear(1, 1)))(x))  # Any
    reveal_type(nn.Sequential(nn.ReLU(), A()).eval()(x))  # tuple[Tensor, int]
    reveal_type(Stage(1)(x))  # Any
    reveal_type(some(x))  # Any
    reveal_type(some[0])  # Module
    for layer in some[1:]:
        reveal_type(layer)  # Module; from torch: 2.8
    some = nn.Sequential(nn.ReLU(), A())
    nn.Sequential(1)  # error
    nn.Sequential(nn.ReLU(), None)  # error


def pools(pool: nn.MaxPool2d, either: bool, x: Tensor) -> None:
    reveal_type(nn.MaxPool2d(2, stride=1)(x))  # Tensor
    reveal_type(nn.MaxPool1d(2, return_indices=True)(x))  # tuple[Tensor, Tensor]
    reveal_type(nn.MaxPool3d(2, return_indices=either)(x))  # Any
    reveal_type(nn.AdaptiveMaxPool2d(1)(x))  # Tensor
    reveal_type(nn.AdaptiveMaxPool2d(1, True)(x))  # Any
    reveal_type(nn.FractionalMaxPool2d(2, output_size=3)(x))  # Tensor
    reveal_type(pool(x))  # Any
    reveal_type(pool.ceil_mode)  # bool
    reveal_type(nn.AvgPool2d(2).divisor_override)  # int | None
    nn.MaxPool2d("2")  # error
