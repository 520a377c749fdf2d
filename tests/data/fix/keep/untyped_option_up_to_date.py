# options: --untyped
from typing import TYPE_CHECKING, Any

from torch import nn


class Net(nn.Module):
    def forward(self, x, mask=None):
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Any, mask: Any = None) -> Any: ...
