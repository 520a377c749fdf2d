from types import EllipsisType
from typing import TYPE_CHECKING

from torch import Tensor, nn


class Index(nn.Module):
    def forward(
        self, x: Tensor, at: EllipsisType | int = ..., pad: tuple[int, int] = (0, -1)
    ) -> Tensor:
        return x[at] if pad[0] == 0 else x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self,
            x: Tensor,
            at: EllipsisType | int = ...,
            pad: tuple[int, int] = (0, -1),
        ) -> Tensor: ...
