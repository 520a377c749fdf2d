# options: --untyped
from typing import TYPE_CHECKING, Any

from torch import nn


class Plain(nn.Module):
    def forward(self, x, mask=None, *args, dim=-1, **kwargs):
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, x: Any, mask: Any = None, *args: Any, dim: Any = -1, **kwargs: Any
        ) -> Any: ...
