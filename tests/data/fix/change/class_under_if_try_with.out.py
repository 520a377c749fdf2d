import contextlib
import sys
from typing import TYPE_CHECKING

from torch import Tensor, nn

if sys.platform == "win32":

    class Kernel(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x

        if TYPE_CHECKING:  # shapecheck: from forward

            def __call__(self, x: Tensor) -> Tensor: ...

else:

    class Kernel(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return -x

        if TYPE_CHECKING:  # shapecheck: from forward

            def __call__(self, x: Tensor) -> Tensor: ...


try:
    import flash_attn  # noqa: F401
except ImportError:

    class Fallback(nn.Module):
        def forward(self, q: Tensor) -> Tensor:
            return q

        if TYPE_CHECKING:  # shapecheck: from forward

            def __call__(self, q: Tensor) -> Tensor: ...


with contextlib.suppress(ImportError):

    class Inside(nn.Module):
        def forward(self, q: Tensor) -> Tensor:
            return q

        if TYPE_CHECKING:  # shapecheck: from forward

            def __call__(self, q: Tensor) -> Tensor: ...
