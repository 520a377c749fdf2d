from typing import TYPE_CHECKING

from torch import Tensor, nn


class Cross(nn.Module):
    def forward(self, query: Tensor, key: Tensor, value: Tensor, k: float) -> Tensor:
        return query @ key.mT @ value * k

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, query: Tensor, key: Tensor, value: Tensor, k: float
        ) -> Tensor: ...
