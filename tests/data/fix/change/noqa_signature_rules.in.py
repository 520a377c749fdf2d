from typing import TYPE_CHECKING

from torch import Tensor, nn


class Net(nn.Module):
    def forward(  # noqa: PLR0913
        self, a: Tensor, b: Tensor, c: int, d: int, e: int, flag: bool
    ) -> Tensor:
        return a


class Flagged(nn.Module):
    def forward(self, a: Tensor, flag: bool) -> Tensor:  # noqa: FBT001
        return a
