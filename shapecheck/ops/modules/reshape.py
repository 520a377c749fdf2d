"""Layers that change the shape and nothing else."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules import views
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.spec import CallError, Shape, Unanswered
from shapecheck.spec.presentation import value_text


@module("nn.Flatten")
class Flatten(ModuleSpec):
    """Dimensions start_dim to end_dim as one; by default all but the first, unlike in `torch.flatten`."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, h, w) gives (n, c*h*w)."""
        return views.flatten(input, self.start_dim, self.end_dim)

    def __repr__(self) -> str:
        return f"Flatten({self.start_dim}, {self.end_dim})"


@module("nn.Unflatten")
class Unflatten(ModuleSpec):
    """One dimension as several."""

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        if isinstance(unflattened_size, Shape):
            raise Unanswered("a shape of unknown rank")
        if not isinstance(dim, int) or not isinstance(unflattened_size, (tuple, list)):
            raise CallError(
                f"expected an int and a tuple of sizes, got {value_text(dim)} and {value_text(unflattened_size)}"
            )
        self.dim = dim
        self.unflattened_size = tuple(unflattened_size)

    def forward(self, input: Tensor) -> Tensor:
        """(n, c*h*w) with axis 1 as (c, h, w) gives (n, c, h, w)."""
        return views.unflatten(input, self.dim, self.unflattened_size)

    def __repr__(self) -> str:
        return f"Unflatten({self.dim}, {value_text(self.unflattened_size)})"


@module("nn.Identity")
class Identity(ModuleSpec):
    """The unchanged input, whatever the layer's arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def forward(self, input: Any) -> Any:
        """The input."""
        return input
