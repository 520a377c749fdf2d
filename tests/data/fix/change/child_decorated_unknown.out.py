import functools
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn


def batched(fn):
    @functools.wraps(fn)
    def run(self, batch):
        return [fn(self, item) for item in batch]

    return run


class Encoder(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class BatchEncoder(Encoder):
    @batched
    def forward(self, x: Tensor) -> Tensor:
        return x + 1

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
