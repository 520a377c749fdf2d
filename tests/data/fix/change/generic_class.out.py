from typing import TYPE_CHECKING, Generic, TypeVar

from torch import Tensor, nn

S = TypeVar("S")


class Stateful(nn.Module, Generic[S]):
    def forward(self, x: Tensor, state: S) -> tuple[Tensor, S]:
        return x, state

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, state: S) -> tuple[Tensor, S]: ...


class Counter(Stateful[int]):
    def forward(self, x: Tensor, state: int) -> tuple[Tensor, int]:
        return x, state + 1

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, state: int) -> tuple[Tensor, int]: ...
