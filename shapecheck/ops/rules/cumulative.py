"""Running sums and products, differences, and integrals by the trapezoidal rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Axes, Number, Tensor, axes, axis, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import promoted
from shapecheck.ops.shared.elementwise import BOOL, INTEGRAL, accept, floated, kept
from shapecheck.ops.shared.reducing import counted, tensor
from shapecheck.spec import CallError, DType, DTypeError, Shape, ShapeError, Size, TensorSpec, at_least, maximum
from shapecheck.spec.broadcast import broadcast_shapes
from shapecheck.spec.dtype import uint8


@op("cumsum")
@op("cumprod")
def cumsum(input: Tensor, dim: int, *, dtype: object = None) -> Tensor:
    """The input's shape; ints and bools give int64."""
    need_axis(tensor(input), dim)
    return fresh_shape(input.shape, counted(input.dtype, dtype), input)


@op("logcumsumexp")
def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """The input's shape; floats and complex numbers only."""
    need_axis(tensor(input), dim)
    return fresh_shape(input.shape, accept(input.dtype, INTEGRAL), input)


def need_axis(input: Tensor, dim: Any) -> None:
    """Raises ShapeError where the tensor has no such axis."""
    if input.rank is not None or type(dim) is not int:
        axis(dim, 64 if input.rank is None else input.rank)


@op("diff")
def diff(
    input: Tensor, n: Size = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """(..., t) gives (..., t - n), at least 0, after what is prepended and appended."""
    shape, dtype = tensor(input).shape, input.dtype
    if input.rank == 0:
        raise ShapeError("diff expects the input to be at least one-dimensional, it is a scalar")
    if n != 0:
        need_axis(input, dim)
    if at_least(n, 0) is False:
        raise CallError(f"the order n must be non-negative, not {n}")
    if n == 0:
        return kept(input, dtype)
    length = shape.size(dim)
    for name, more in (("prepend", prepend), ("append", append)):
        if more is not None:
            length = length + _joined(input, more, dim, name)
            dtype = promoted(input.with_dtype(dtype), more)
    layout = input.layout if input.layout == "contiguous" else "unknown"
    return fresh_shape(shape.with_at(dim, _less(length, n)), dtype, input, layout)


def _less(length: Size, n: Size) -> Size:
    return length - n if at_least(length, n) else maximum(length - n, 0)


def _joined(input: Tensor, more: Tensor, dim: int, name: str) -> Size:
    """The size along `dim` of what is put before or behind the input."""
    if input.rank is None or more.rank is None:
        return more.shape.size(dim)
    if input.rank != more.rank:
        raise ShapeError(
            f"{name} must have as many dimensions as the input: it has {more.rank}, the input {input.rank}"
        )
    at = axis(dim, input.rank)
    for index, (expected, given) in enumerate(zip(input.dims, more.dims, strict=True)):
        if index != at:
            need_equal(
                expected,
                given,
                f"diff expects {name} to have the size of the input except in the differencing dimension {at}: "
                f"dimension {index} is {given}, the input {input.shape} has size {expected} there",
            )
    return more.dims[at]


@op("trapezoid", "trapz")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: Number | Tensor | None = None, dim: int = -1) -> Tensor:
    """(..., n) gives (...); the sample points x are (n,) or broadcast with y."""
    if tensor(y).shape.run is None and y.rank and y.dims[axis(dim, y.rank)] == 0:
        return fresh_shape(y.shape.without(dim), y.dtype, y)
    shape, dtype = _integrand(y, x, dx, dim)
    if shape.run is not None:
        return fresh_shape(shape.without(dim), dtype, y, "unknown")
    at = axis(dim, tensor(y).rank or 1)
    return fresh_shape(shape.without(at), dtype, y, _layout(y, x))


@op("cumulative_trapezoid")
def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, *, dx: Number | Tensor | None = None, dim: int = -1
) -> Tensor:
    """(..., n) gives (..., n - 1)."""
    shape, dtype = _integrand(y, x, dx, dim)
    return fresh_shape(shape, dtype, y, _layout(y, x))


def _layout(y: Tensor, x: Tensor | None) -> Any:
    return "contiguous" if y.layout == "contiguous" and (x is None or x.layout == "contiguous") else "unknown"


def _integrand(y: Tensor, x: Tensor | None, dx: Any, dim: int) -> tuple[Shape, DType | None]:
    """The shape of the pieces between the sample points, one fewer than points, and their dtype."""
    need_axis(tensor(y), dim)
    if y.rank == 0:
        raise ShapeError(f"dim {dim} is out of range: the input has no dimensions, nothing to integrate along")
    accept(y.dtype, BOOL)
    if x is None:
        return _between(y.shape, dim), floated(
            promoted(y, *((dx,) if isinstance(dx, (TensorSpec, float, complex)) else ()))
        )
    if dx is not None:
        raise CallError("x and dx are given: one of them tells the spacing")
    accept(x.dtype, BOOL)
    dtype = floated(promoted(y, x))
    if y.rank is None or x.rank is None:
        return _between(y.shape, dim) if x.rank == 1 else Shape.anything(), dtype
    at = axis(dim, y.rank)
    if x.rank == 1:
        message = (
            "there must be one x value for each sample point: "
            f"x has size {x.dims[0]}, dimension {dim} of {y.shape} is {y.dims[at]}"
        )
        need_equal(x.dims[0], y.dims[at], message)
        return _between(y.shape, at), dtype
    points = Shape((1,) * (y.rank - x.rank) + x.dims)
    return broadcast_shapes(_between(y.shape, at), _between(points, at)), dtype


def _between(shape: Shape, dim: int) -> Shape:
    return shape.with_at(dim, _less(shape.size(dim), 1))


@op("gradient")
def gradient(input: Tensor, *, spacing: Any = None, dim: Axes = None, edge_order: int = 1) -> list[Tensor]:
    """A tensor of the input's shape for each axis of `dim` (None: for every one)."""
    if edge_order not in (1, 2):
        raise CallError(f"gradient only supports edge_order=1 and edge_order=2, not {edge_order}")
    given = axes(dim, len(tensor(input).dims))
    dtype = accept(input.dtype, BOOL) if given else None
    if dtype is uint8:
        raise DTypeError("gradient does not support a torch.uint8 input")
    for at in given:
        if at_least(input.dims[at], edge_order + 1) is False:
            raise ShapeError(
                f"each size must be at least edge_order+1, {edge_order + 1}: dimension {at} of {input.shape}"
            )
    if isinstance(spacing, (tuple, list)):
        _need_spacing(input, spacing, given, dim)
    slope = fresh_shape(input.shape, floated(dtype), input, _layout(input, None))
    return [slope] * len(given)


def _need_spacing(input: Tensor, spacing: Sequence[Any], given: tuple[int, ...], dim: Axes) -> None:
    if len(spacing) != len(given):
        raise CallError(
            f"gradient expects spacing to be unspecified, a scalar, or a list of length {len(given)}, one for each "
            f"dimension of dim={dim} (the input has {input.rank} dimensions); it has {len(spacing)}"
        )
    for at, one in zip(given, spacing, strict=True):
        if isinstance(one, TensorSpec):
            if one.rank not in (1, None):
                raise ShapeError(f"each element of spacing must have one dimension, one has shape {one.shape}")
            if one.rank == 1:
                need_equal(
                    one.dims[0],
                    input.dims[at],
                    f"a tensor in spacing must be as long as its axis: {one.shape} for dimension {at} of {input.shape}",
                )
