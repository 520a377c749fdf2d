"""What torch.compile makes of a model."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Compiles(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x).relu()


class CompiledOff(nn.Module):
    """Dynamo's flag, which changes the result."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:  # planted: compile-mismatch
        y = self.fc(x)
        return y * 2 if torch.compiler.is_compiling() else y
