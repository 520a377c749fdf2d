from typing import TYPE_CHECKING, Optional

from torch import Tensor, nn


class OldStyle(nn.Module):
    def forward(self, query: Tensor,
                key: Optional[Tensor] = None,
                scale: float=1.0) -> Tensor:
        return query if key is None else query * key * scale
