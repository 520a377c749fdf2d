from typing import TYPE_CHECKING, Any

from torch import Tensor, nn


class Scripted(nn.Module):
    def forward(self, x, mask=None, *rest, **options):
        # type: (Tensor, Tensor, *int, **str) -> Tensor
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, x: Tensor, mask: Tensor | None = None, *rest: int, **options: str
        ) -> Tensor: ...


class Unbalanced(nn.Module):
    def forward(self, x, y):
        # type: (Tensor) -> Tensor
        return x + y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Any, y: Any) -> Any: ...
