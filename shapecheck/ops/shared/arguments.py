"""Shared by rules: types of arguments, axes, sizes, and construction of results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from shapecheck.ops.assumptions import equal
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Dim, DType, Layout, Shape, ShapeError, Size, TensorSpec, Unanswered, unknown

Tensor: TypeAlias = TensorSpec
Number: TypeAlias = bool | int | float | complex | Dim
Operand: TypeAlias = TensorSpec | Number  # a tensor or a Python number
Sizes: TypeAlias = Size | Sequence[Size]  # one size for all axes, or one for each
Axes: TypeAlias = int | Sequence[int] | None
DTypeLike: TypeAlias = DType | str | None


def fresh(dims: Iterable[Size], dtype: DType | None, like: TensorSpec | None = None) -> TensorSpec:
    """A new contiguous tensor, on the device of `like`."""
    return TensorSpec.make(Shape(tuple(dims)), dtype, "contiguous", None if like is None else like.device)


def fresh_shape(
    shape: Shape, dtype: DType | None, like: TensorSpec | None = None, layout: Layout = "contiguous"
) -> TensorSpec:
    """The same for a shape whose rank may be unknown."""
    return TensorSpec.make(shape, dtype, layout, None if like is None else like.device)


def axis(dim: Any, rank: int, of: str = "the input") -> int:
    """`dim` as an index from 0; raises ShapeError where a tensor of this rank has no such axis (rank 0 counts as 1)."""
    if type(dim) is not int:
        dim = _an_int(dim)
    length = rank or 1
    if -length <= dim < length:
        return int(dim) + length if dim < 0 else int(dim)
    raise ShapeError(f"dim {dim} is out of range: {of} has rank {rank}, so dim is from {-length} to {length - 1}")


def axes(dims: Any, rank: int, of: str = "the input") -> tuple[int, ...]:
    """Several axes (None: all of them), each from 0; raises ShapeError where one is out of range or given twice."""
    if dims is None:
        return tuple(range(rank))
    found = tuple(axis(dim, rank, of) for dim in (dims if isinstance(dims, (tuple, list)) else (dims,)))
    if len(set(found)) != len(found):
        twice = next(dim for index, dim in enumerate(found) if dim in found[:index])
        raise ShapeError(f"dim {twice} appears twice in {tuple(dims)}")
    return found


def _an_int(value: Any) -> int:
    if isinstance(value, Dim):
        raise Unanswered(f"the axis {value} is symbolic")
    if type(value) is Unknown:
        raise Unanswered("an axis is unknown")
    if isinstance(value, (bool, float, str, TensorSpec)) or not hasattr(value, "__index__"):
        raise CallError(f"an axis is an int, not {value!r}")
    return int(value.__index__())


def sizes(given: Any) -> tuple[Size, ...]:
    """Sizes given as `f(2, 3)` or `f((2, 3))`; raises CallError where one is no int.

    Raises Unanswered where the only one is unknown: it may be a tuple of any length.
    """
    if len(given) == 1 and isinstance(given[0], Unknown):
        raise Unanswered("a size that may be a tuple of several is unknown")
    if len(given) == 1 and isinstance(given[0], (tuple, list, Shape)):
        given = given[0]
    return tuple(size(value) for value in given)


def size(value: Any) -> Size:
    """One size, which may be -1 where the operator allows it; raises CallError where it is no int."""
    if type(value) is int or isinstance(value, Dim):
        return value
    if type(value) is Unknown or (type(value) is TensorSpec and _may_be_an_int(value)):
        return unknown()
    if isinstance(value, (float, str, TensorSpec)) or not hasattr(value, "__index__"):
        raise CallError(f"a size is an int, not {value!r}")
    return int(value.__index__())


def _may_be_an_int(value: TensorSpec) -> bool:
    """torch takes an integer tensor of one element where an int is due."""
    return not value.shape.head and (value.dtype is None or value.dtype.is_integral)


def per_axis(value: Any, count: int, name: str) -> tuple[Size, ...]:
    """`stride=2` or `stride=(2, 2)` as one size per axis; raises CallError where the number is another."""
    if not isinstance(value, (tuple, list)):
        return (size(value),) * count
    if len(value) == 1:
        return (size(value[0]),) * count
    if len(value) != count:
        raise CallError(f"{name} has {len(value)} values, one or {count} are due")
    return tuple(size(one) for one in value)


def need_equal(left: Size, right: Size, message: str) -> None:
    """Raises ShapeError(message) where the sizes differ for sure; notes an assumption where that is open."""
    if left is not right and not equal(left, right, message):
        raise ShapeError(message).between(left, right)


def need_tensors(values: Sequence[Any]) -> None:
    """Raises CallError where one of the values is no tensor, Unanswered where that is open."""
    for value in values:
        if type(value) is Unknown:
            raise Unanswered("one of the tensors is unknown")
        if not isinstance(value, TensorSpec):
            raise CallError(f"tensors are due, one of them is {str(value)[:60]!r}")


def need_rank(tensor: TensorSpec, ranks: tuple[int, ...], what: str = "the input") -> None:
    """Raises ShapeError where the rank is known and none of `ranks`."""
    if tensor.rank is not None and tensor.rank not in ranks:
        expected = " or ".join(map(str, ranks))
        raise ShapeError(f"{what} has rank {tensor.rank}, shape {tensor.shape}; rank {expected} is due")
