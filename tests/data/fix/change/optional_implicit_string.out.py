from typing import TYPE_CHECKING

from torch import Tensor, nn


class Masked(nn.Module):
    def forward(self, x: "Tensor", mask: "Tensor" = None) -> "Tensor":
        return x if mask is None else x * mask

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: "Tensor", mask: "Tensor | None" = None) -> "Tensor": ...
