from typing import TYPE_CHECKING, Optional

from torch import Tensor, nn


class Scripted(nn.Module):
    def forward(
        self,
        x,  # type: Tensor
        mask=None,  # type: Optional[Tensor]
    ):
        # type: (...) -> Tensor
        return x if mask is None else x * mask

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self,
            x,  # type: Tensor
            mask=None,  # type: Optional[Tensor]
        ) -> Tensor: ...
