from typing import TYPE_CHECKING, Any

from torch import Tensor, nn


class Wrapper(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, *args: Any, **kwargs: Any) -> Tensor:
        y: Tensor = self.inner(*args, **kwargs)
        return y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...
