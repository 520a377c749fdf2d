from typing import TYPE_CHECKING

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class PairEncoder(Encoder):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        return x + y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...  # type: ignore[override]


class TripleEncoder(Encoder):
    def forward(  # type: ignore[override]
        self, x: Tensor, y: Tensor, z: Tensor
    ) -> Tensor:
        return x + y + z

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(  # type: ignore[override]
            self, x: Tensor, y: Tensor, z: Tensor
        ) -> Tensor: ...
