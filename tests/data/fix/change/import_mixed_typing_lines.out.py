from typing import TYPE_CHECKING, Any, Callable
from typing import Optional as Opt

from torch import Tensor, nn

Hook = Callable[[Any], Opt[Any]]


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
