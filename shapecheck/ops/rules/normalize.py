"""Vectors scaled to a norm, responses to their neighbours', and the weight reparametrisations of `torch.nn.utils`."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Axes, Number, Tensor, axes, axis, fresh, fresh_shape
from shapecheck.ops.shared.dtypes import floating, promoted
from shapecheck.ops.shared.matching import layout_of, numel
from shapecheck.spec import CallError, DTypeError, ShapeError, Size


@op("normalize")
def normalize(input: Tensor, p: float = 2.0, dim: Axes = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """A floating tensor keeps its shape; `dim` is one axis or several."""
    if input.rank is not None:
        axes(dim, input.rank)
    _need_inexact(input)
    return fresh_shape(input.shape, input.dtype, input, layout_of(input))


@op("renorm")
def renorm(self: Tensor, p: Number, dim: int, maxnorm: Number) -> Tensor:
    """A floating tensor of two axes or more keeps its shape."""
    if self.rank is not None:
        if self.rank < 2:
            raise ShapeError(f"the input is {self.shape}; at least 2 dimensions are due")
        axis(dim, self.rank)
    if isinstance(p, (int, float)) and p <= 0:
        raise CallError(f"p must be positive, not {p}")
    if isinstance(maxnorm, (int, float)) and maxnorm < 0:
        raise CallError(f"maxnorm must be >= 0, not {maxnorm}")
    _need_inexact(self)
    return fresh_shape(self.shape, self.dtype, self)


@op("local_response_norm")
def local_response_norm(input: Tensor, size: Size, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """(N, C, *) with one axis or more after the channels keeps its shape."""
    if input.rank is not None and input.rank < 3:
        raise ShapeError(f"the input is {input.shape}; 3 dimensions or more are due")
    if numel(input.shape) == 0:
        return input
    if isinstance(size, int) and size <= 0:
        raise CallError(f"size must be greater than zero, not {size}")
    dtype = input.dtype
    if dtype is not None and (dtype.is_complex or dtype.kind == "bool"):
        raise DTypeError(f"the input is {dtype}; a floating point dtype is due")
    return fresh_shape(input.shape, floating(dtype), input, layout_of(input))


@op("_weight_norm")
def weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    """A direction and its length give a weight of the direction's shape."""
    return fresh_shape(v.shape, promoted(v, g), v, layout_of(v))


@op("_weight_norm_interface")
def weight_norm_interface(v: Tensor, g: Tensor, dim: int = 0) -> tuple[Tensor, Tensor]:
    """A direction and its length give the weight and the norms."""
    return weight_norm(v, g, dim), fresh_shape(g.shape, g.dtype, g)


@op("norm_except_dim")
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """The norms over all axes but one, which keep 1 in each other axis; over all of them for -1."""
    dtype = None if v.dtype is None else v.dtype.to_real()
    if dim == -1:
        return fresh((), dtype, v)
    at = axis(dim, len(v.dims))
    return fresh((one if place == at else 1 for place, one in enumerate(v.dims)), dtype, v)


def _same_module(module: Any, name: str = "weight", *settings: Any, **more: Any) -> Any:
    """A layer whose weight is reparametrised is still that layer."""
    return module


register(_same_module, "nn.utils.weight_norm")
for _name in ("remove_weight_norm", "spectral_norm", "remove_spectral_norm"):
    register(_same_module, f"nn.utils.{_name}")
for _name in ("weight_norm", "spectral_norm", "orthogonal"):
    register(_same_module, f"nn.utils.parametrizations.{_name}")


def _need_inexact(input: Tensor) -> None:
    dtype = input.dtype
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"the input is {dtype}; a floating point or complex dtype is due")
