from typing import TYPE_CHECKING

from torch import Tensor, nn


class Gate(nn.Module):
    def forward(
        self,
        x: Tensor,
        y: Tensor,
    ) -> Tensor:
        return x.sigmoid() * y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self,
            x: Tensor,
            y: Tensor,
        ) -> Tensor: ...
