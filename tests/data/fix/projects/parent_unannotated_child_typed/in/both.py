from roots import Root
from torch import Tensor


class Leaf(Root):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:  # type: ignore[override]
        return x + y
