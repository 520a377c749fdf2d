from typing import TYPE_CHECKING, Any

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class PairEncoder(Encoder):
    def forward(self, x, y):
        return x + y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
