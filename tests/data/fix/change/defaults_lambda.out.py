from collections.abc import Callable
from typing import TYPE_CHECKING

from torch import Tensor, nn


class Apply(nn.Module):
    def forward(
        self,
        x: Tensor,
        fn: Callable[[Tensor], Tensor] = lambda t: t * 2,
        scale: float = 1.5e-3,
    ) -> Tensor:
        return fn(x) * scale

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self,
            x: Tensor,
            fn: Callable[[Tensor], Tensor] = lambda t: t * 2,
            scale: float = 1.5e-3,
        ) -> Tensor: ...
