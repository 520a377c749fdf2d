# asks: finds a hard-coded sequence length
# pytest-torch: Add() 3x7x16
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Add(nn.Module):
    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.width = width
        self.places = nn.Embedding(512, width)

    def forward(self, x: Float[Tensor, "b t {self.width}"]) -> Float[Tensor, "b t {self.width}"]:
        return x + self.places(torch.arange(7, device=x.device))  # planted; right: return x + self.places(torch.arange(x.shape[1], device=x.device))


def main() -> None:
    print(Add()(torch.randn(3, 7, 16)).shape)


if __name__ == "__main__":
    main()
