from typing import TYPE_CHECKING

from torch import Tensor, nn

SIZES = (1, 2, 3)


class Pyramid(nn.Module):
    def forward(
        self,
        x: Tensor,
        sizes: dict[str, tuple[int, ...]] = {
            "small": (1, 2),
            "large": SIZES,
        },
    ) -> Tensor:
        return x * len(sizes)

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self,
            x: Tensor,
            sizes: dict[str, tuple[int, ...]] = {
                "small": (1, 2),
                "large": SIZES,
            },
        ) -> Tensor: ...
