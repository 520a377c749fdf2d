from typing import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

ACTS: dict[str, tuple[Callable, int]] = {
    "relu": (F.relu, 1),
    "crelu": (lambda x: torch.cat([F.relu(x), F.relu(-x)], dim=-1), 2),
    "glu": (lambda x: F.glu(x, dim=-1), 1),
}


class Mlp(nn.Module):
    def __init__(self, sizes: list[int], act: str = "relu"):
        super().__init__()
        self.act, factor = ACTS[act]
        self.layers = nn.ModuleList()
        width = sizes[0]
        for n in sizes[1:]:
            self.layers.append(nn.Linear(width, n))
            width = n

    def forward(self, x: Float[Tensor, "b features"]) -> Float[Tensor, "b out"]:
        for layer in self.layers[:-1]:
            x = self.act(layer(x))
        return self.layers[-1](x)


def main():
    x = torch.randn(4, 6)
    for act in ("relu", "crelu"):
        print(act, Mlp([6, 16, 16, 2], act)(x).shape)


if __name__ == "__main__":
    main()
