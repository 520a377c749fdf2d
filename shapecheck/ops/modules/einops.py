"""The layers of `einops.layers.torch`."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.einops import einsum, rearrange, reduce
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.einops_pattern import Side, parse
from shapecheck.ops.shared.parameters import parameter
from shapecheck.spec import CallError
from shapecheck.spec.presentation import value_text


@module("einops.layers.torch.Rearrange")
class Rearrange(ModuleSpec):
    """`rearrange` with its pattern."""

    def __init__(self, pattern: str, **axes_lengths: Any) -> None:
        parse(pattern)
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def forward(self, input: Tensor) -> Tensor:
        """As the function."""
        return rearrange(input, self.pattern, **self.axes_lengths)

    def __repr__(self) -> str:
        return f"Rearrange({self.pattern!r})"


@module("einops.layers.torch.Reduce")
class Reduce(ModuleSpec):
    """`reduce` with its pattern and reduction."""

    def __init__(self, pattern: str, reduction: Any, **axes_lengths: Any) -> None:
        parse(pattern)
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def forward(self, input: Tensor) -> Tensor:
        """As the function."""
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)

    def __repr__(self) -> str:
        return f"Reduce({self.pattern!r}, {self.reduction!r})"


@module("einops.layers.torch.EinMix")
class EinMix(ModuleSpec):
    """A linear map written as an einsum with a weight: `b c h w -> b o h w` with weight_shape `c o`."""

    def __init__(self, pattern: str, weight_shape: str, bias_shape: str | None = None, **axes_lengths: Any) -> None:
        left, right = parse(pattern)
        if any(len(group) != 1 for side in (left, right) for group in side.groups):
            raise CallError(f"EinMix is supported only without parentheses, got {value_text(pattern)}")
        missing = [name for name in Side(weight_shape).names if name not in axes_lengths]
        if missing:
            raise CallError(f"missing the size of {', '.join(missing)}")
        self.pattern = pattern
        self.weight_shape = weight_shape
        self.weight = parameter(axes_lengths[name] for name in Side(weight_shape).names)
        self.bias = None if bias_shape is None else parameter(axes_lengths[name] for name in Side(bias_shape).names)

    def forward(self, input: Tensor) -> Tensor:
        """As the einsum with its weight."""
        left, _, right = self.pattern.partition("->")
        return einsum(input, self.weight, f"{left}, {self.weight_shape} -> {right}")

    def __repr__(self) -> str:
        return f"EinMix({self.pattern!r})"
