"""Tensors seen in another shape: view, reshape, flatten and unflatten.

A view keeps the elements where they are, so whether there is one hangs on the strides (spec/strides.py); reshape copies
where there is none.
"""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, axis, fresh, need_equal, sizes
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


@op("view", "_unsafe_view", traits=Trait.KEEPS_MAXIMUM | Trait.RESHAPES | Trait.TAKES_SIZES)
def view(input: Tensor, *shape: Any, size: Any = None, dtype: DTypeLike = None) -> Tensor:
    """The same elements in another shape, or, given a dtype, the same bytes as another type.

    Raises LayoutError where the elements do not lie as the shape needs them.
    """
    if size is not None:
        shape = (size,)
    if dtype is not None or (len(shape) == 1 and isinstance(shape[0], (DType, str))):
        return _view_dtype(input, as_dtype(dtype or shape[0]))
    return _viewed(input, _resolved(input, _wanted(shape)))


def _viewed(input: Tensor, new: tuple[Size, ...]) -> Tensor:
    if input.layout == "contiguous" or input.shape.run is not None:
        return _kept(input, Shape(new))
    strides = _strides(input, new)
    if isinstance(strides, Blocked):
        raise LayoutError(_not_viewable(input, new, strides))
    return laid_out(input, new, strides)


def _kept(input: Tensor, shape: Shape) -> Tensor:
    """A contiguous tensor stays so in any shape; of others nothing is said."""
    return input.with_shape(shape, "contiguous" if input.layout == "contiguous" else "unknown")


@op(
    "reshape",
    "_reshape_alias",
    "view_copy",
    "_reshape_copy",
    traits=Trait.KEEPS_MAXIMUM | Trait.RESHAPES | Trait.TAKES_SIZES | Trait.TENSOR_FIRST,
)
def reshape(input: Tensor, *args: Any, shape: Any = None, size: Any = None) -> Tensor:
    """The same elements in another shape: a view where the strides allow it, a contiguous copy where they do not."""
    if not args and (shape is not None or size is not None):
        args = (size if shape is None else shape,)
    new = _resolved(input, _wanted(args))
    if input.layout == "contiguous" or input.shape.run is not None:
        return _kept(input, Shape(new))
    strides = _strides(input, new)
    return fresh(new, input.dtype, input) if isinstance(strides, Blocked) else laid_out(input, new, strides)


def _strides(input: Tensor, new: tuple[Size, ...]) -> tuple[Size, ...] | Blocked | None:
    old = strides_of(input)
    return None if old is None else view_strides(input.shape.head, old, new)


def _not_viewable(input: Tensor, new: tuple[Size, ...], blocked: Blocked) -> str:
    return (
        f"{input.shape} cannot be viewed as {Shape(new)} because axes {blocked.upper} and {blocked.lower} are not"
        " adjacent in memory: call .contiguous() or .reshape() (which copies)"
    )


def _wanted(shape: tuple[Any, ...]) -> tuple[Size, ...]:
    if not shape:
        raise CallError("a shape is missing: give the sizes")
    if len(shape) == 1 and isinstance(shape[0], (tuple, list, Shape)):
        shape = tuple(shape[0])
    for one in shape:
        if type(one) is not int and type(one) is not Dim:
            return sizes(shape)
    return shape


def _resolved(input: Tensor, wanted: tuple[Size, ...]) -> tuple[Size, ...]:
    """The new sizes, with what -1 stands for; raises ShapeError where the number of elements is another."""
    old = input.shape
    inferred = -1
    for index, one in enumerate(wanted):
        if type(one) is int and one < 0:
            if one != -1:
                raise ShapeError(f"invalid size {one} at axis {index} of {Shape(wanted)}: only -1 may be negative")
            if inferred >= 0:
                raise ShapeError(f"only one dimension can be inferred, {Shape(wanted)} has -1 more than once")
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
    need_equal(expected, elements, f"shape {Shape(wanted)} has {elements} elements, the input {old} has {expected}")
    # `d//h` stands there because h divides d: torch refuses anything else, as elements would be missing.
    exact = tuple(map(as_exact, wanted))
    return exact if numel(exact) == expected else wanted


def _inferred(old: Shape, wanted: tuple[Size, ...], at: int) -> tuple[Size, ...]:
    given = numel(wanted[:at] + wanted[at + 1 :])
    elements = numel(old.head)
    if given == 0:
        if elements == 0:
            raise ShapeError(
                f"{old} has 0 elements: the size of -1 in {Shape(wanted)} can be any value and is ambiguous"
            )
        need_equal(elements, 0, f"shape {Shape(wanted)} is invalid for the input {old} of {elements} elements")
        return _with(wanted, at, unknown(low=0))
    if given == 1:
        return _with(wanted, at, elements)
    rest = elements % given
    if rest != 0:
        need_equal(rest, 0, _indivisible(old, wanted, elements, given))
    return _with(wanted, at, quotient(elements, given))


def _indivisible(old: Shape, wanted: tuple[Size, ...], elements: Size, given: Size) -> str:
    return (
        f"shape {Shape(wanted)} is invalid for the input {old}: its {elements} elements are not divisible by {given},"
        " the product of the other sizes"
    )


def _with(sizes: tuple[Size, ...], at: int, one: Size) -> tuple[Size, ...]:
    return (*sizes[:at], one, *sizes[at + 1 :])


def _view_dtype(input: Tensor, dtype: DType) -> Tensor:
    if input.dtype is None:
        raise Unanswered("the dtype of the input is unknown")
    old, new = input.dtype.itemsize, dtype.itemsize
    if old == new:
        return input.with_dtype(dtype)
    if input.rank == 0:
        raise ShapeError(
            f"an input without axes cannot be viewed as {dtype}, whose elements have another size than {input.dtype}"
        )
    strides = strides_of(input)
    if strides is not None and type(strides[-1]) is int and strides[-1] != 1:
        raise LayoutError(
            f"the stride of the last axis must be 1 to view {input.dtype} as {dtype}, whose elements have another size;"
            f" it is {strides[-1]}: call .contiguous()"
        )
    last = input.shape.size(-1)
    if old > new:
        shape = input.shape.with_at(-1, last * (old // new))
    else:
        ratio = new // old
        need_equal(
            last % ratio,
            0,
            f"the last axis is {last}, it must be divisible by {ratio} to view {input.dtype} as {dtype}",
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
    """Axes start_dim to end_dim as one: (b, c, h, w) from axis 1 on gives (b, c*h*w)."""
    shape = input.shape
    if shape.run is not None:
        return _kept(input, _flattened_open(shape, start_dim, end_dim))
    rank = len(shape.head)
    start, end = axis(start_dim, rank), axis(end_dim, rank)
    if start > end:
        raise ShapeError(f"start_dim {start_dim} cannot come after end_dim {end_dim}: the input has rank {rank}")
    if start == end and rank:
        return input
    sizes = shape.head
    return reshape(input, (*sizes[:start], numel(sizes[start : end + 1]), *sizes[end + 1 :]))


def _flattened_open(shape: Shape, start: int, end: int) -> Shape:
    """What stands before, in and after the flattened axes, as far as the run does not hide it."""
    if max(abs(start), abs(end)) > _MOST_AXES:
        raise Unanswered(f"axes {start} to {end} of a tensor of unknown rank")
    if (start < 0) == (end < 0):
        if start > end:
            raise ShapeError(f"start_dim {start} cannot come after end_dim {end}")
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
    """All elements along one axis, contiguous."""
    flat = flatten(input)
    return fresh(flat.dims, flat.dtype, flat) if flat.layout != "contiguous" else flat


@op("unflatten", traits=Trait.RESHAPES | Trait.TAKES_SIZES)
def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """One axis as several: (b, h*d) with axis -1 as (h, d) gives (b, h, d); one of the sizes may be -1."""
    wanted = _wanted((sizes,))
    if not wanted:
        raise ShapeError("sizes must be non-empty")
    if input.rank is not None:
        dim = axis(dim, input.rank)
        if not input.rank:
            raise ShapeError("the input has no axis that could be unflattened")
    old = input.shape.at(dim)
    part = TensorSpec.make(Shape.anything() if old is None else Shape((old,)), None)
    try:
        new = _resolved(part, wanted)
    except ShapeError as wrong:
        raise ShapeError(f"sizes {Shape(wanted)} do not multiply up to axis {dim}, which is {old}: {wrong}") from None
    if input.rank is not None:
        return _viewed(input, (*input.dims[:dim], *new, *input.dims[dim + 1 :]))
    shape = input.shape.with_at(dim, new[0])
    for index, one in enumerate(new[1:], 1):
        shape = shape.inserted(dim + index, one) if dim >= 0 else _after(shape, dim, one)
    return _kept(input, shape)


def _after(shape: Shape, dim: int, one: Size) -> Shape:
    """`one` in the place of the axis at `dim` from the end, which moves on by one to the left."""
    before = shape.size(dim)
    return shape.inserted(dim, before).with_at(dim, one)
