from typing import TYPE_CHECKING

from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn


class Conv(nn.Module):
    @jaxtyped(typechecker=beartype)
    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c h w"]:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c h w"]: ...
