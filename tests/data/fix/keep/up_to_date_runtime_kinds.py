# options: --style runtime
from typing import Any

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor, *rest: Tensor, dim: int = 0, **options: Any) -> None:
        pass

    def __call__(
        self, x: Tensor, *rest: Tensor, dim: int = 0, **options: Any
    ) -> None:  # shapecheck: from forward
        super().__call__(x, *rest, dim=dim, **options)
