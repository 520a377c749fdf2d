"""Tensors seen in another shape: view, reshape, flatten and unflatten.

A view does not move elements, so whether one exists depends on the strides (spec/strides.py); reshape copies if not.
"""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, axis, fresh, need_divisible, need_equal, sizes
from shapecheck.ops.shared.open_views import open_sizes, view_open
from shapecheck.ops.traits import Trait
from shapecheck.spec import (
    CallError,
    Dim,
    DType,
    LayoutError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    as_dtype,
    quotient,
    unknown,
)
from shapecheck.spec.exact import as_exact
from shapecheck.spec.strides import laid_out, numel, strides_of
from shapecheck.spec.view_strides import Blocked, view_strides

_MOST_AXES = 64
_RESHAPING = Trait.KEEPS_MAXIMUM | Trait.RESHAPES | Trait.TAKES_SIZES | Trait.TENSOR_FIRST


@op("view", "_unsafe_view", traits=Trait.KEEPS_MAXIMUM | Trait.RESHAPES | Trait.TAKES_SIZES)
def view(input: Tensor, *shape: Any, size: Any = None, dtype: DTypeLike = None) -> Tensor:
    """The same elements in another shape, or, given a dtype, the same bytes as another type.

    Raises LayoutError if the strides do not allow it.
    """
    if size is not None:
        shape = (size,)
    if dtype is not None or (len(shape) == 1 and isinstance(shape[0], (DType, str))):
        return _view_dtype(input, as_dtype(dtype or shape[0]))
    if (part := open_sizes(shape)) is not None:
        return view_open(input, part)
    return _viewed(input, _resolved(input, _wanted(shape)))


def _viewed(input: Tensor, new: tuple[Size, ...]) -> Tensor:
    if input.layout == "contiguous" or input.shape.run is not None:
        return _kept(input, Shape(new))
    strides = _strides(input, new)
    if isinstance(strides, Blocked):
        raise LayoutError(_not_viewable(input, new, strides))
    return laid_out(input, new, strides)


def _kept(input: Tensor, shape: Shape) -> Tensor:
    """A contiguous tensor stays contiguous in any shape; the layout of others becomes unknown."""
    return input.with_shape(shape, "contiguous" if input.layout == "contiguous" else "unknown")


@op("reshape", "_reshape_copy", traits=_RESHAPING)
def reshape(input: Tensor, *args: Any, shape: Any = None, size: Any = None) -> Tensor:
    """The same elements in another shape: a view where the strides allow it, otherwise a contiguous copy."""
    if not args and (shape is not None or size is not None):
        args = (size if shape is None else shape,)
    if (part := open_sizes(args)) is not None:
        return view_open(input, part)
    new = _resolved(input, _wanted(args))
    if input.layout == "contiguous" or input.shape.run is not None:
        return _kept(input, Shape(new))
    strides = _strides(input, new)
    return fresh(new, input.dtype, input) if isinstance(strides, Blocked) else laid_out(input, new, strides)


@op("_reshape_alias", traits=_RESHAPING)
def reshape_alias(input: Tensor, size: Any, stride: object = None) -> Tensor:
    """`reshape` where the result has the given strides, which are those that a view would have."""
    return reshape(input, size)


@op("view_copy", traits=_RESHAPING)
def view_copy(input: Tensor, size: Any = None, dtype: DTypeLike = None) -> Tensor:
    """A copy in another shape, or, given a dtype, of the same bytes as another type."""
    if dtype is not None or isinstance(size, (DType, str)):
        return _view_dtype(input, as_dtype(dtype or size))
    return reshape(input, size=size)


def _strides(input: Tensor, new: tuple[Size, ...]) -> tuple[Size, ...] | Blocked | None:
    old = strides_of(input)
    return None if old is None else view_strides(input.shape.head, old, new)


def _not_viewable(input: Tensor, new: tuple[Size, ...], blocked: Blocked) -> str:
    return (
        f"cannot view {input.shape} as {Shape(new)}: "
        f"dimensions {blocked.upper} and {blocked.lower} are not contiguous; use reshape()"
    )


def _wanted(shape: tuple[Any, ...]) -> tuple[Size, ...]:
    if not shape:
        raise CallError('missing 1 required positional argument: "shape"')
    if len(shape) == 1 and isinstance(shape[0], (tuple, list, Shape)):
        shape = tuple(shape[0])
    for one in shape:
        if type(one) is not int and type(one) is not Dim:
            return sizes(shape)
    return shape


def _resolved(input: Tensor, wanted: tuple[Size, ...]) -> tuple[Size, ...]:
    """The new sizes, with -1 inferred; raises ShapeError if the number of elements differs."""
    old = input.shape
    inferred = -1
    for index, one in enumerate(wanted):
        if type(one) is int and one < 0:
            if one != -1:
                raise ShapeError(
                    f"expected sizes to be non-negative or -1, got {one} in dimension {index} of {Shape(wanted)}"
                )
            if inferred >= 0:
                raise ShapeError(f"only one size can be -1, got {Shape(wanted)}")
            inferred = index
    if old.run is not None:
        return wanted if inferred < 0 else _with(wanted, inferred, unknown(low=0))
    if inferred >= 0:
        return _inferred(old, wanted, inferred)
    return wanted if wanted == old.head else _with_elements(old, wanted)


def _with_elements(old: Shape, wanted: tuple[Size, ...]) -> tuple[Size, ...]:
    elements, expected = numel(wanted), numel(old.head)
    if elements == expected:
        return wanted
    need_equal(expected, elements, f"{_invalid(wanted, old)}: {elements} != {expected} elements")
    # `d//h` is exact here, that is h divides d: torch rejects anything else, as elements would be missing.
    exact = tuple(map(as_exact, wanted))
    return exact if numel(exact) == expected else wanted


def _inferred(old: Shape, wanted: tuple[Size, ...], at: int) -> tuple[Size, ...]:
    given = numel(wanted[:at] + wanted[at + 1 :])
    elements = numel(old.head)
    if given == 0:
        if elements == 0:
            raise ShapeError(
                f"cannot infer the size -1 in {Shape(wanted)}: input of shape {old} has 0 elements, so it is ambiguous"
            )
        need_equal(elements, 0, f"{_invalid(wanted, old)}: 0 != {elements} elements")
        return _with(wanted, at, unknown(low=0))
    if given == 1:
        return _with(wanted, at, elements)
    if elements % given != 0:
        need_divisible(elements, given, _indivisible(old, wanted, elements, given))
    return _with(wanted, at, quotient(elements, given))


def _indivisible(old: Shape, wanted: tuple[Size, ...], elements: Size, given: Size) -> str:
    return f"{_invalid(wanted, old)}: {elements} elements are not divisible by {given}, the product of the other sizes"


def _invalid(wanted: tuple[Size, ...], old: Shape) -> str:
    return f"shape {Shape(wanted)} is invalid for input of shape {old}"


def _with(sizes: tuple[Size, ...], at: int, one: Size) -> tuple[Size, ...]:
    return (*sizes[:at], one, *sizes[at + 1 :])


def _view_dtype(input: Tensor, dtype: DType) -> Tensor:
    if input.dtype is None:
        raise Unanswered("input of unknown dtype")
    old, new = input.dtype.itemsize, dtype.itemsize
    if old == new:
        return input.with_dtype(dtype)
    if input.rank == 0:
        raise ShapeError(f"cannot view a 0-D tensor of dtype {input.dtype} as {dtype}: their elements differ in size")
    strides = strides_of(input)
    if strides is not None and type(strides[-1]) is int and strides[-1] != 1:
        raise LayoutError(
            f"cannot view {input.dtype} as {dtype}: expected stride 1 in the last dimension, got {strides[-1]}; "
            "use contiguous()"
        )
    last = input.shape.size(-1)
    if old > new:
        shape = input.shape.with_at(-1, last * (old // new))
    else:
        ratio = new // old
        need_equal(
            last % ratio,
            0,
            f"cannot view {input.dtype} as {dtype}: expected the last dimension to be divisible by {ratio}, got {last}",
        )
        shape = input.shape.with_at(-1, quotient(last, ratio))
    return _kept(input, shape).with_dtype(dtype)


@op("view_as", traits=Trait.RESHAPES)
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """The input viewed in the shape of `other`."""
    if other.rank is None:
        return _kept(input, other.shape)
    return view(input, other.dims)


@op("reshape_as", traits=Trait.RESHAPES)
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """The input in the shape of `other`."""
    if other.rank is None:
        return _kept(input, other.shape)
    return reshape(input, other.dims)


@op("flatten", "flatten.using_ints", traits=Trait.TENSOR_FIRST)
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Dimensions start_dim to end_dim as one: (b, c, h, w) from dimension 1 gives (b, c*h*w)."""
    shape = input.shape
    if shape.run is not None:
        return _kept(input, _flattened_open(shape, start_dim, end_dim))
    rank = len(shape.head)
    start, end = axis(start_dim, rank), axis(end_dim, rank)
    if start > end:
        raise ShapeError(f"expected start_dim <= end_dim, got {start_dim} and {end_dim} for a {rank}-D input")
    if start == end and rank:
        return input
    sizes = shape.head
    return reshape(input, (*sizes[:start], numel(sizes[start : end + 1]), *sizes[end + 1 :]))


def _flattened_open(shape: Shape, start: int, end: int) -> Shape:
    """The sizes before, in and after the flattened dimensions, as far as they are known."""
    if max(abs(start), abs(end)) > _MOST_AXES:
        raise Unanswered(f"dimensions {start} to {end} of a tensor of unknown rank")
    if (start < 0) == (end < 0):
        if start > end:
            raise ShapeError(f"expected start_dim <= end_dim, got {start} and {end}")
        joined = [shape.at(index) for index in range(start, min(end, start + 64) + 1)]
        size = unknown(low=0) if None in joined else numel(one for one in joined if one is not None)
        for _ in joined[1:]:
            shape = shape.without(start if start >= 0 else end)
        return shape.with_at(start if start >= 0 else end, size)
    if start < 0:
        return Shape.anything()
    head = tuple(shape.size(index) for index in range(start))
    tail = tuple(shape.size(index) for index in range(end + 1, 0))
    return Shape((*head, unknown(low=0), *tail))


@op("ravel")
def ravel(input: Tensor) -> Tensor:
    """All elements along one dimension, contiguous."""
    flat = flatten(input)
    return fresh(flat.dims, flat.dtype, flat) if flat.layout != "contiguous" else flat


@op("unflatten", traits=Trait.RESHAPES | Trait.TAKES_SIZES)
def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """One dimension as several: (b, h*d) with dimension -1 as (h, d) gives (b, h, d); one of the sizes may be -1."""
    wanted = _wanted((sizes,))
    if not wanted:
        raise ShapeError("expected at least one size, got ()")
    if input.rank is not None:
        dim = axis(dim, input.rank)
        if not input.rank:
            raise ShapeError("cannot unflatten a 0-D tensor")
    old = input.shape.at(dim)
    part = TensorSpec.make(Shape.anything() if old is None else Shape((old,)), None)
    try:
        new = _resolved(part, wanted)
    except ShapeError as wrong:
        raise ShapeError(f"cannot unflatten dimension {dim} of {input.shape} into {Shape(wanted)}: {wrong}") from None
    if input.rank is not None:
        return _viewed(input, (*input.dims[:dim], *new, *input.dims[dim + 1 :]))
    shape = input.shape.with_at(dim, new[0])
    for index, one in enumerate(new[1:], 1):
        shape = shape.inserted(dim + index, one) if dim >= 0 else _after(shape, dim, one)
    return _kept(input, shape)


def _after(shape: Shape, dim: int, one: Size) -> Shape:
    """`one` in place of the dimension at `dim` from the end, which moves to the left."""
    before = shape.size(dim)
    return shape.inserted(dim, before).with_at(dim, one)
