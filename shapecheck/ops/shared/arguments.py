"""Shared by rules: types of arguments, dimensions, sizes, and construction of results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from shapecheck.ops.assumptions import equal
from shapecheck.ops.shared.wording import wrong_rank
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import (
    CallError,
    Dim,
    DType,
    Layout,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    same,
    unknown,
    without_common_factor,
)
from shapecheck.spec.presentation import value_text

Tensor: TypeAlias = TensorSpec
Number: TypeAlias = bool | int | float | complex | Dim
Operand: TypeAlias = TensorSpec | Number  # a tensor or a Python number
Sizes: TypeAlias = Size | Sequence[Size]  # one size for all dimensions, or one for each
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
    """`dim` as an index from 0; raises ShapeError if it is out of range for this rank (0 counts as 1).

    of: the tensor, for the message if it is not the input.
    """
    at = dim if type(dim) is int else _an_int(dim)
    length = rank or 1
    if -length <= at < length:
        return at + length if at < 0 else at
    where = "" if of == "the input" else f" for {of}"
    raise ShapeError(f"dim out of range{where}: expected {-length} to {length - 1}, got {at}")


def axes(dims: Any, rank: int, of: str = "the input") -> tuple[int, ...]:
    """Several dimensions (None: all), each counted from 0; raises ShapeError if one is out of range or repeated."""
    if dims is None:
        return tuple(range(rank))
    found = tuple(axis(dim, rank, of) for dim in (dims if isinstance(dims, (tuple, list)) else (dims,)))
    if len(set(found)) != len(found):
        twice = next(dim for index, dim in enumerate(found) if dim in found[:index])
        raise ShapeError(f"dim {twice} appears twice in {value_text(tuple(dims))}")
    return found


def _an_int(value: Any) -> int:
    if isinstance(value, Dim):
        raise Unanswered(f"dim is symbolic: {value_text(value)}")
    if type(value) is Unknown or (type(value) is TensorSpec and _may_be_an_int(value)):
        raise Unanswered("dim is unknown")
    if isinstance(value, (bool, float, str, TensorSpec)) or not hasattr(value, "__index__"):
        raise CallError(f"expected dim to be an int, got {value_text(value)}")
    return int(value.__index__())


def sizes(given: Any) -> tuple[Size, ...]:
    """Sizes given as `f(2, 3)` or `f((2, 3))`; raises CallError if one is not an int.

    Raises Unanswered if the only one is unknown: it may be a tuple of any length.
    """
    if len(given) == 1 and isinstance(given[0], Unknown):
        raise Unanswered("the only size is unknown; it may be a tuple")
    if len(given) == 1 and isinstance(given[0], (tuple, list, Shape)):
        given = given[0]
    return tuple(size(value) for value in given)


def size(value: Any) -> Size:
    """One size, which may be -1 if the operator allows it; raises CallError if it is not an int."""
    if type(value) is int or isinstance(value, Dim):
        return value
    if type(value) is Unknown:
        return unknown() if value.as_size is None else value.as_size
    if type(value) is TensorSpec and _may_be_an_int(value):
        return unknown()
    if isinstance(value, (float, str, TensorSpec)) or not hasattr(value, "__index__"):
        raise CallError(f"expected a size to be an int, got {value_text(value)}")
    return int(value.__index__())


def _may_be_an_int(value: TensorSpec) -> bool:
    """Whether torch accepts it as an int, as it does an integer tensor of one element."""
    dims = (*value.shape.head, *value.shape.tail)
    return all(same(one, 1) is not False for one in dims) and (value.dtype is None or value.dtype.is_integral)


def per_axis(value: Any, count: int, name: str) -> tuple[Size, ...]:
    """`stride=2` or `stride=(2, 2)` as one size per dimension; raises CallError for another number of values."""
    if not isinstance(value, (tuple, list)):
        return (size(value),) * count
    if len(value) == 1:
        return (size(value[0]),) * count
    if len(value) != count:
        either = "1 value" if count == 1 else f"1 or {count} values"
        raise CallError(f"expected {name} to have {either}, got {value_text(value)}")
    return tuple(size(one) for one in value)


def need_equal(left: Size, right: Size, message: str) -> None:
    """Raises ShapeError(message) if the sizes are known to differ; records an assumption if they may be equal.

    A factor that both have, such as the batch size, is taken as not 0: what needs that works for no data.
    """
    if left is not right and not equal(*without_common_factor(left, right), message):
        raise ShapeError(message).between(left, right)


def need_divisible(elements: Size, divisor: Size, message: str) -> None:
    """Raises ShapeError(message) if the divisor, which is not 0, is known to leave a remainder."""
    dividend, by = without_common_factor(elements, divisor)
    if not equal(dividend % by, 0, message):
        raise ShapeError(message)


def need_tensors(values: Sequence[Any]) -> None:
    """Raises CallError if one of the values is not a tensor, Unanswered if that is unknown."""
    for value in values:
        if type(value) is Unknown:
            raise Unanswered("one of the tensors is unknown")
        if not isinstance(value, TensorSpec):
            raise CallError(f"expected tensors, got {value_text(value)}")


def need_rank(tensor: TensorSpec, ranks: tuple[int, ...], what: str = "the input") -> None:
    """Raises ShapeError if the rank is known and not one of `ranks`."""
    if tensor.rank is not None and tensor.rank not in ranks:
        raise ShapeError(wrong_rank(what, ranks, tensor.shape))
