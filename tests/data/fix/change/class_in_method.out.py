from typing import TYPE_CHECKING

from torch import Tensor, nn


class Suite:
    def check(self) -> None:
        class Double(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x * 2

            if TYPE_CHECKING:  # shapecheck: from forward

                def __call__(self, x: Tensor) -> Tensor: ...

        assert Double()
