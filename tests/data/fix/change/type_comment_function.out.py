from typing import TYPE_CHECKING, List

from torch import Tensor, nn


class Scripted(nn.Module):
    def forward(self, x, sizes):
        # type: (Tensor, List[int]) -> Tensor
        """Reshape."""
        return x.reshape(sizes)

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, sizes: List[int]) -> Tensor: ...
