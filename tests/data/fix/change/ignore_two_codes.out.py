from typing import TYPE_CHECKING

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x):
        return x


class Sized(Encoder):
    def forward(self, x: Tensor, sizes: list) -> Tensor:  # type: ignore[override, type-arg]
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, sizes: list) -> Tensor: ...  # type: ignore[type-arg]
