"""Normalization layers without running statistics: over the last dimensions, groups of channels or neighbors."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.modules.norm import with_rank
from shapecheck.ops.rules.norm import (
    group_norm,
    layer_norm,
    need_groups,
    normalized,
    rms_norm,
)
from shapecheck.ops.rules.normalize import local_response_norm
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, fresh_shape, size
from shapecheck.ops.shared.parameters import parameter
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Shape, Size
from shapecheck.spec.presentation import value_text

_SizesOrUnknown = Size | Sequence[Size] | Unknown
_AFFINE = ("normalized_shape", "weight", "bias")


@module("nn.LayerNorm", traits=Trait.HAS_WEIGHTS | Trait.BATCH_FIRST)
class LayerNorm(ModuleSpec):
    """(*, normalized_shape) keeps its shape."""

    def __init__(
        self,
        normalized_shape: _SizesOrUnknown,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.normalized_shape = _shape_of(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = _affine(self.normalized_shape, dtype, elementwise_affine)
        self.bias = _affine(self.normalized_shape, dtype, elementwise_affine and bias)
        if self.normalized_shape is None:
            self.open = _AFFINE

    def forward(self, input: Tensor) -> Tensor:
        """(*, normalized_shape) keeps its shape."""
        if self.normalized_shape is None:
            return fresh_shape(input.shape, input.dtype, input)
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def __repr__(self) -> str:
        return f"LayerNorm({_text(self.normalized_shape)})"


@module("nn.RMSNorm", traits=Trait.HAS_WEIGHTS)
class RMSNorm(ModuleSpec):
    """(*, normalized_shape) keeps its shape."""

    def __init__(
        self,
        normalized_shape: _SizesOrUnknown,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.normalized_shape = _shape_of(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = _affine(self.normalized_shape, dtype, elementwise_affine)
        if self.normalized_shape is None:
            self.open = _AFFINE

    def forward(self, x: Tensor) -> Tensor:
        """(*, normalized_shape) keeps its shape."""
        if self.normalized_shape is None:
            return fresh_shape(x.shape, x.dtype, x)
        return rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def __repr__(self) -> str:
        return f"RMSNorm({_text(self.normalized_shape)})"


@module("nn.GroupNorm", traits=Trait.HAS_WEIGHTS | Trait.BATCH_FIRST)
class GroupNorm(ModuleSpec):
    """(N, num_channels, *) keeps its shape."""

    def __init__(
        self,
        num_groups: Size,
        num_channels: Size,
        eps: float = 1e-5,
        affine: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        self.num_groups = size(num_groups)
        self.num_channels = size(num_channels)
        need_groups(self.num_channels, self.num_groups, "num_channels")
        self.eps = eps
        self.affine = affine
        self.weight = parameter((self.num_channels,), dtype) if affine else None
        self.bias = parameter((self.num_channels,), dtype) if affine and bias else None

    def forward(self, input: Tensor) -> Tensor:
        """(N, num_channels, *) keeps its shape."""
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def __repr__(self) -> str:
        return f"GroupNorm({self.num_groups}, {self.num_channels})"


@module("nn.LocalResponseNorm")
class LocalResponseNorm(ModuleSpec):
    """(N, C, *) keeps its shape."""

    def __init__(self, size: Size, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *) keeps its shape."""
        return local_response_norm(input, self.size, self.alpha, self.beta, self.k)


@module("nn.CrossMapLRN2d")
class CrossMapLRN2d(ModuleSpec):
    """(N, C, H, W) keeps its shape."""

    def __init__(self, size: Size, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, H, W) keeps its shape."""
        input = with_rank(input, 4)
        return fresh_shape(input.shape, input.dtype, input, "contiguous" if input.layout == "contiguous" else "unknown")


def _affine(shape: tuple[Size, ...] | None, dtype: DTypeLike, exists: bool) -> Tensor | None:
    return parameter(shape, dtype) if exists and shape is not None else None


def _text(shape: tuple[Size, ...] | None) -> str:
    return "?" if shape is None else str(Shape(shape))


def _shape_of(given: object) -> tuple[Size, ...] | None:
    """The normalized shape, None if it is unknown."""
    if isinstance(given, Unknown):
        return None
    if isinstance(given, (str, float)):
        raise CallError(f"expected normalized_shape to be an int or a tuple of ints, got {value_text(given)}")
    return normalized(given) if isinstance(given, (tuple, list, Shape)) else (size(given),)
