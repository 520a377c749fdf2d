"""Vectors scaled to a norm, local response normalization, and the reparametrizations of `torch.nn.utils`."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Axes, Number, Tensor, axes, axis, fresh, fresh_shape
from shapecheck.ops.shared.dtypes import floating, promoted
from shapecheck.ops.shared.matching import layout_of, numel
from shapecheck.spec import CallError, DTypeError, ShapeError, Size


@op("normalize")
def normalize(input: Tensor, p: object = 2.0, dim: Axes = 1, eps: object = 1e-12, out: Tensor | None = None) -> Tensor:
    """A floating-point tensor keeps its shape; `dim` is one dimension or several."""
    if input.rank is not None:
        axes(dim, input.rank)
    _need_inexact(input)
    return fresh_shape(input.shape, input.dtype, input, layout_of(input))


@op("renorm")
def renorm(self: Tensor, p: Number, dim: int, maxnorm: Number) -> Tensor:
    """A floating-point tensor of two or more dimensions keeps its shape."""
    if self.rank is not None:
        if self.rank < 2:
            raise ShapeError(f"expected at least 2 dimensions, got shape {self.shape}")
        axis(dim, self.rank)
    if isinstance(p, (int, float)) and p <= 0:
        raise CallError(f"expected p to be positive, got {p}")
    if isinstance(maxnorm, (int, float)) and maxnorm < 0:
        raise CallError(f"expected maxnorm to be non-negative, got {maxnorm}")
    _need_inexact(self)
    return fresh_shape(self.shape, self.dtype, self)


@op("local_response_norm")
def local_response_norm(
    input: Tensor, size: Size, alpha: object = 1e-4, beta: object = 0.75, k: object = 1.0
) -> Tensor:
    """(N, C, *) with at least one dimension after the channels keeps its shape."""
    if input.rank is not None and input.rank < 3:
        raise ShapeError(f"expected at least 3 dimensions, got shape {input.shape}")
    if numel(input.shape) == 0:
        return input
    if isinstance(size, int) and size <= 0:
        raise CallError(f"expected size to be positive, got {size}")
    dtype = input.dtype
    if dtype is not None and (dtype.is_complex or dtype.kind == "bool"):
        raise DTypeError(f"expected the input to have a floating-point dtype, got {dtype}")
    return fresh_shape(input.shape, floating(dtype), input, layout_of(input))


@op("_weight_norm")
def weight_norm(v: Tensor, g: Tensor, dim: object = 0) -> Tensor:
    """A direction and its magnitude give a weight of the direction's shape."""
    return fresh_shape(v.shape, promoted(v, g), v, layout_of(v))


@op("_weight_norm_interface")
def weight_norm_interface(v: Tensor, g: Tensor, dim: int = 0) -> tuple[Tensor, Tensor]:
    """A direction and its magnitude give the weight and the norms."""
    return weight_norm(v, g, dim), fresh_shape(g.shape, g.dtype, g)


@op("norm_except_dim")
def norm_except_dim(v: Tensor, pow: object = 2, dim: int = 0) -> Tensor:
    """The norms over all dimensions except one, with 1 for each other dimension; over all of them for -1."""
    dtype = None if v.dtype is None else v.dtype.to_real()
    if dim == -1:
        return fresh((), dtype, v)
    at = axis(dim, len(v.dims))
    return fresh((one if place == at else 1 for place, one in enumerate(v.dims)), dtype, v)


def _same_module(module: Any, name: object = "weight", *settings: Any, **more: Any) -> Any:
    """The layer itself, which keeps its shapes."""
    return module


register(_same_module, "nn.utils.weight_norm")
for _name in ("remove_weight_norm", "spectral_norm", "remove_spectral_norm"):
    register(_same_module, f"nn.utils.{_name}")
for _name in ("weight_norm", "spectral_norm", "orthogonal"):
    register(_same_module, f"nn.utils.parametrizations.{_name}")


def _need_inexact(input: Tensor) -> None:
    dtype = input.dtype
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"expected the input to have a floating-point or complex dtype, got {dtype}")
