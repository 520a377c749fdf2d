"""The layers of `einops.layers.torch`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.einops import einsum, rearrange, reduce
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.einops_pattern import ELLIPSIS, Side, parse
from shapecheck.ops.shared.parameters import parameter
from shapecheck.spec import CallError


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
    """A linear map written as an einsum with a weight: `b c h w -> b o h w` with weight_shape `c o`.

    Groups in parentheses are split before the einsum and joined after it.
    """

    def __init__(self, pattern: str, weight_shape: str, bias_shape: str | None = None, **axes_lengths: Any) -> None:
        left, right = parse(pattern)
        weight, bias = Side(weight_shape), Side(bias_shape or "")
        missing = [name for name in (*weight.names, *bias.names) if name not in axes_lengths]
        if missing:
            raise CallError(f"missing the size of {', '.join(missing)}")
        self.pattern = pattern
        self.weight_shape = weight_shape
        self.axes_lengths = axes_lengths
        self.weight = parameter(axes_lengths[name] for name in weight.names)
        self.bias = None if bias_shape is None else parameter(_bias(right, bias, axes_lengths))
        self._single = " ".join(left.names), " ".join(right.names)

    def forward(self, input: Tensor) -> Tensor:
        """As the einsum with its weight."""
        left, _, right = self.pattern.partition("->")
        single_left, single_right = self._single
        lengths = {name: size for name, size in self.axes_lengths.items() if name in single_left.split()}
        split = rearrange(input, f"{left} -> {single_left}", **lengths)
        mixed = einsum(split, self.weight, f"{single_left}, {self.weight_shape} -> {single_right}")
        return rearrange(mixed, f"{single_right} -> {right}")

    def __repr__(self) -> str:
        return f"EinMix({self.pattern!r})"


def _bias(right: Side, bias: Side, lengths: Mapping[str, Any]) -> list[Any]:
    """The shape of a bias that is broadcast over the single axes of the result."""
    return [lengths[name] if name in bias.names else 1 for name in right.names if name != ELLIPSIS]
