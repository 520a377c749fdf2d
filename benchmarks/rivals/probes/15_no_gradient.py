# asks: finds weights that get no gradient
# pytest-torch: Gate() 3x16
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Gate(nn.Module):
    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.width = width
        self.inner, self.outer = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: Float[Tensor, "b {self.width}"]) -> Float[Tensor, "b {self.width}"]:
        return self.outer(self.inner(x).detach())  # planted; right: return self.outer(self.inner(x))


def main() -> None:
    print(Gate()(torch.randn(3, 16)).shape)


if __name__ == "__main__":
    main()
