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
from shapecheck.spec.presentation import value_text


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
    """Raises ShapeError if the dimension is out of range."""
    if input.rank is not None or type(dim) is not int:
        axis(dim, 64 if input.rank is None else input.rank)


@op("diff")
def diff(
    input: Tensor, n: Size = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """(..., t) gives (..., t - n), at least 0; t includes what is prepended and appended."""
    shape, dtype = tensor(input).shape, input.dtype
    if input.rank == 0:
        raise ShapeError("expected at least 1 dimension, got shape ()")
    if n != 0:
        need_axis(input, dim)
    if at_least(n, 0) is False:
        raise CallError(f"expected n to be at least 0, got {n}")
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
    """The size along `dim` of the tensor that is prepended or appended."""
    if input.rank is None or more.rank is None:
        return more.shape.size(dim)
    if input.rank != more.rank:
        raise ShapeError(f"expected {name} to be {input.rank}-D, got shape {more.shape} (input of shape {input.shape})")
    at = axis(dim, input.rank)
    for index, (expected, given) in enumerate(zip(input.dims, more.dims, strict=True)):
        if index != at:
            need_equal(
                expected,
                given,
                f"expected dimension {index} of {name} to be {expected}, got {given} (input of shape {input.shape})",
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
        raise ShapeError("expected at least 1 dimension, got shape ()")
    accept(y.dtype, BOOL)
    if x is None:
        return _between(y.shape, dim), floated(
            promoted(y, *((dx,) if isinstance(dx, (TensorSpec, float, complex)) else ()))
        )
    if dx is not None:
        raise CallError("x cannot be used with dx")
    accept(x.dtype, BOOL)
    dtype = floated(promoted(y, x))
    if y.rank is None or x.rank is None:
        return _between(y.shape, dim) if x.rank == 1 else Shape.anything(), dtype
    at = axis(dim, y.rank)
    if x.rank == 1:
        expected = Shape((y.dims[at],))
        message = f"expected x of shape {expected}, got {x.shape} (dimension {dim} of y of shape {y.shape})"
        need_equal(x.dims[0], y.dims[at], message)
        return _between(y.shape, at), dtype
    points = Shape((1,) * (y.rank - x.rank) + x.dims)
    return broadcast_shapes(_between(y.shape, at), _between(points, at)), dtype


def _between(shape: Shape, dim: int) -> Shape:
    return shape.with_at(dim, _less(shape.size(dim), 1))


@op("gradient")
def gradient(input: Tensor, *, spacing: Any = None, dim: Axes = None, edge_order: int = 1) -> list[Tensor]:
    """A tensor of the input's shape for each dimension in `dim` (None: for every dimension)."""
    if edge_order not in (1, 2):
        raise CallError(f"expected edge_order to be 1 or 2, got {value_text(edge_order)}")
    given = axes(dim, len(tensor(input).dims))
    dtype = accept(input.dtype, BOOL) if given else None
    if dtype is uint8:
        raise DTypeError("expected a signed integer, floating-point or complex dtype, got torch.uint8")
    for at in given:
        if at_least(input.dims[at], edge_order + 1) is False:
            raise ShapeError(
                f"expected dimension {at} of the input to be at least edge_order + 1 = {edge_order + 1}, "
                f"got {input.dims[at]} (shape {input.shape})"
            )
    if isinstance(spacing, (tuple, list)):
        _need_spacing(input, spacing, given, dim)
    slope = fresh_shape(input.shape, floated(dtype), input, _layout(input, None))
    return [slope] * len(given)


def _need_spacing(input: Tensor, spacing: Sequence[Any], given: tuple[int, ...], dim: Axes) -> None:
    if len(spacing) != len(given):
        raise CallError(
            f"expected spacing to be a number or a list of length {len(given)}, got length {len(spacing)} "
            f"(dim={value_text(dim)}, input of shape {input.shape})"
        )
    for at, one in zip(given, spacing, strict=True):
        if isinstance(one, TensorSpec):
            if one.rank not in (1, None):
                raise ShapeError(f"expected each tensor in spacing to be 1-D, got shape {one.shape}")
            if one.rank == 1:
                need_equal(
                    one.dims[0],
                    input.dims[at],
                    f"expected spacing of shape {Shape((input.dims[at],))} for dimension {at} of {input.shape}, "
                    f"got {one.shape}",
                )
