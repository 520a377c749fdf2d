from typing import TYPE_CHECKING

from torch import Tensor, nn


class Lenient(nn.Module):
    def forward(self, x: Tensor, sizes: list) -> Tensor:  # type: ignore[type-arg]
        return x.reshape(sizes)
