# options: --style runtime
from torch import Tensor


class Route:
    def forward(self, x: Tensor) -> Tensor:
        return x
