"""State that a checkpoint does not contain."""

import random

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Projection(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.register_buffer("matrix", torch.randn(dim, dim))
        # mutant not_persistent: self.register_buffer("matrix", torch.randn(dim, dim), persistent=False)
        # mutant plain_attribute: self.matrix = torch.randn(dim, dim)
        # mutant in_a_tuple: self.matrices = (torch.randn(dim, dim),); self.matrix = torch.eye(dim)
        # mutant in_a_dict: self.matrices = {"first": torch.randn(dim, dim)}; self.matrix = torch.eye(dim)
        self.register_buffer("order", torch.randperm(dim))
        # mutant permutation: self.order = torch.randperm(dim).tolist()
        self.register_buffer("scale", torch.rand(()))
        # mutant number: self.scale = random.random()
        # mutant item: self.scale = torch.rand(()).item()
        self.matrices = getattr(self, "matrices", ())

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        values = self.matrices.values() if isinstance(self.matrices, dict) else self.matrices
        for matrix in values:
            x = x @ matrix.to(x.device)
        return self.fc(x @ self.matrix.to(x.device))[:, self.order] * self.scale


class Experts(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, 2)
        self.first, self.second = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.experts = nn.ModuleList((self.first, self.second))
        self.route = [0, 1]
        # mutant random_route: self.route = [random.randrange(1000) / 1000, 1]

    def state_dict(self, *args, **kwargs):
        state = super().state_dict(*args, **kwargs)
        return state
        # mutant saved_under_another_name: return {key.replace("gate", "router"): one for key, one in state.items()}
        # mutant saves_too_little: return {key: one for key, one in state.items() if "gate" not in key}

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        shares = self.gate(x).softmax(-1)
        results = [expert(x) * (1 + factor) for expert, factor in zip(self.experts, self.route, strict=True)]
        return (torch.stack(results, -1) * shares[:, None]).sum(-1)
