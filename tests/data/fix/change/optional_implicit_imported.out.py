from typing import TYPE_CHECKING, Optional

from torch import Tensor, nn


class Masked(nn.Module):
    def forward(self, x: Tensor, mask: Tensor = None) -> Optional[Tensor]:
        return mask

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, x: Tensor, mask: Optional[Tensor] = None
        ) -> Optional[Tensor]: ...
