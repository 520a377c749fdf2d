from typing import TYPE_CHECKING

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class PairEncoder(Encoder):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        return x + y


class TripleEncoder(Encoder):
    def forward(  # type: ignore[override]
        self, x: Tensor, y: Tensor, z: Tensor
    ) -> Tensor:
        return x + y + z
