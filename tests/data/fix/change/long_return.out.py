from typing import TYPE_CHECKING

from torch import Tensor, nn


class Recurrent(nn.Module):
    def forward(
        self, x: Tensor, state: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor], dict[str, Tensor], list[Tensor] | None]:
        return x, state or (x, x), {"x": x}, None

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, x: Tensor, state: tuple[Tensor, Tensor] | None = None
        ) -> tuple[
            Tensor, tuple[Tensor, Tensor], dict[str, Tensor], list[Tensor] | None
        ]: ...
