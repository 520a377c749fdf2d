# asks: finds a model that mixes the rows of a batch
# pytest-torch: Pool() 3x5x16
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Pool(nn.Module):
    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.width = width
        self.score = nn.Linear(width, 1)

    def forward(self, x: Float[Tensor, "b t {self.width}"]) -> Float[Tensor, "b {self.width}"]:
        weights = self.score(x).softmax(0)  # planted; right: weights = self.score(x).softmax(1)
        return (weights * x).sum(1)


def main() -> None:
    print(Pool()(torch.randn(3, 5, 16)).shape)


if __name__ == "__main__":
    main()
