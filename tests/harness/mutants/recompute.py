"""Gradient checkpointing that computes something else."""

from functools import partial

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


class Layers(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.first = nn.Linear(dim, dim)
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(2))
        self.gradient_checkpointing = False

    def inner(self, layer: nn.Linear, y: Tensor, scale: float = 1.0) -> Tensor:
        return y + scale * F.dropout(layer(y), 0.5, self.training)

    def forward(self, x: Float[Tensor, "b dim"], scale: float = 2.0) -> Float[Tensor, "b dim"]:
        y, again = self.first(x), partial(checkpoint, use_reentrant=False)
        for layer in self.layers:
            if self.gradient_checkpointing:
                y = again(self.inner, layer, y, scale)
                # mutant random_state: y = again(self.inner, layer, y, scale, preserve_rng_state=False)
                # mutant argument_forgotten: y = again(self.inner, layer, y)
                # mutant no_residual: y = again(self.inner, layer, y, scale) - y
                # mutant input_detached: y = again(self.inner, layer, y.detach(), scale)
                # mutant result_detached: y = again(self.inner, layer, y, scale).detach() + y - y
                # mutant always_the_first_layer: y = again(self.inner, self.layers[0], y, scale)
                # mutant result_unused: y = y + 0 * again(self.inner, layer, y, scale)
                # mutant scaled_twice: y = again(self.inner, layer, y, 2 * scale)
                # mutant without_gradients: y = again(self.inner, layer.requires_grad_(False), y, scale)
            else:
                y = self.inner(layer, y, scale)
        return y


class Reentrant(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(2))
        self.use_checkpoint = False

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        if not self.use_checkpoint:
            return self.layers[1](self.layers[0](x))
        y = self.layers[0](x)
        # mutant input_needs_no_gradient: y = checkpoint(self.layers[0], x, use_reentrant=True)
        return checkpoint(self.layers[1], y, use_reentrant=False)
        # mutant last_result_without_gradient: return checkpoint(self.layers[1], y.detach(), use_reentrant=True)
