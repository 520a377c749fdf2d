import ring_b
from torch import Tensor, nn


class Start(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


def later() -> type:
    class Last(ring_b.Middle):
        def forward(self, x: Tensor) -> Tensor:
            return x

    return Last
