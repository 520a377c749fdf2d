from typing import TYPE_CHECKING

from jaxtyping import Bool, Float
from torch import Tensor, nn


class Masked(nn.Module):
    def forward(
        self,
        x: Float[Tensor, "b t c"],
        mask: Bool[Tensor, "b t"] = None,
    ) -> Float[Tensor, "b t c"]:
        return x if mask is None else x * mask[..., None]
