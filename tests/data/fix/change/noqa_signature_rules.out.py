from typing import TYPE_CHECKING

from torch import Tensor, nn


class Net(nn.Module):
    def forward(  # noqa: PLR0913
        self, a: Tensor, b: Tensor, c: int, d: int, e: int, flag: bool
    ) -> Tensor:
        return a

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(  # noqa: PLR0913
            self, a: Tensor, b: Tensor, c: int, d: int, e: int, flag: bool
        ) -> Tensor: ...


class Flagged(nn.Module):
    def forward(self, a: Tensor, flag: bool) -> Tensor:  # noqa: FBT001
        return a

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, a: Tensor, flag: bool) -> Tensor: ...  # noqa: FBT001
