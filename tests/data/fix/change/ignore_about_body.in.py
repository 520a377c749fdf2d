from typing import TYPE_CHECKING

from torch import Tensor, nn


class Hollow(nn.Module):
    def forward(self, x: Tensor) -> Tensor:  # type: ignore[empty-body]
        """Does nothing yet."""


class Partial(nn.Module):
    def forward(self, x: Tensor) -> Tensor:  # type: ignore[return]
        if self.training:
            return x
