import math

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Dense(nn.Module):
    def __init__(self, cin: int, cout: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(cout, cin))
        self.bias = nn.Parameter(torch.zeros(cout))
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))

    def forward(self, x: Float[Tensor, "*batch cin"]) -> Float[Tensor, "*batch cout"]:
        return x @ self.weight + self.bias


class GatedUnit(nn.Module):
    def __init__(self, dim: int = 24, hidden: int = 40):
        super().__init__()
        self.a, self.b, self.c = Dense(dim, hidden), Dense(dim, hidden), Dense(hidden, dim)

    def forward(self, x: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch dim"]:
        return x + self.c(nn.functional.silu(self.a(x)) * self.b(x))


def main() -> None:
    unit = GatedUnit()
    print(unit(torch.randn(5, 24)).shape, unit(torch.randn(2, 7, 24)).shape)


if __name__ == "__main__":
    main()
