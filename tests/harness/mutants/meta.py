"""Models that are constructed on meta, and initialize less than all."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Norm(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.scale, self.shift = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))
        self.register_buffer("places", torch.arange(dim) / dim, persistent=False)
        self.register_buffer("mean", torch.zeros(dim))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.ones_(self.scale)
        # mutant scale: nn.init.ones_(self.fc.bias)
        nn.init.zeros_(self.shift)
        # mutant shift: nn.init.zeros_(self.fc.bias)
        self.places.copy_(torch.arange(len(self.places)) / len(self.places))
        # mutant table: self.fc.reset_parameters()
        # mutant new_tensor_in_place_of_values: self.table = torch.arange(len(self.places)) / len(self.places)
        self.mean.zero_()
        # mutant running_mean: self.fc.reset_parameters()
        # mutant multiplied_in_place: self.mean.mul_(0)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return (self.fc(x) - self.mean) * self.scale + self.shift + self.places


class _Token(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, dim))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.token


class Transformer(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.token, self.fc, self.gain = _Token(dim), nn.Linear(dim, dim), nn.Parameter(torch.ones(dim))
        self.init_weights()

    def init_weights(self) -> None:
        with torch.no_grad():
            self.gain.fill_(1.0)
            # mutant gain: self.fc.bias.fill_(0.0)
        for module in self.modules():
            if isinstance(module, _Token):
                # mutant other_class: if isinstance(module, nn.Embedding):
                nn.init.zeros_(module.token)
                # mutant bias_only: nn.init.zeros_(self.fc.bias)
                # mutant returns_a_copy: torch.zeros_like(module.token)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(self.token(x)) * self.gain
