from typing import TYPE_CHECKING

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x):  # type: ignore[no-untyped-def]
        return x


class PairEncoder(Encoder):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        return x + y


class Each(Encoder):
    def forward(
        self,
        x: Tensor,
        y: Tensor,
        sizes: list,  # type: ignore[type-arg]
    ) -> Tensor:  # type: ignore[override]  # ty: ignore[incompatible-method-override]
        return x + y
