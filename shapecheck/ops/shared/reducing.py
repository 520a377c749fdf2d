"""Shared by reductions: which dimensions they reduce, what remains, and when there must be elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shapecheck.ops.shared.arguments import axes, axis
from shapecheck.ops.shared.elementwise import Kinds, accept
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Dim, DType, DTypeError, Shape, ShapeError, Size, TensorSpec, as_dtype
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import numel

_MOST_DIMS = 64


def reduced(shape: Shape, dim: Any, keepdim: Any = False) -> Shape:
    """The shape without the dimensions `dim`, or with size 1 there; None and () mean all of them.

    Raises ShapeError if one is out of range or repeated.
    """
    if keepdim is not False and keepdim is not True:
        need_bool(keepdim, "keepdim")
    if every(dim):
        return _without_all(shape, keepdim)
    if shape.least_rank > _MOST_DIMS:
        raise ShapeError(f"expected at most {_MOST_DIMS} dimensions, got {shape.least_rank}")
    if shape.run is not None:
        return _open(shape, dim, keepdim)
    head = shape.head
    if type(dim) is int:
        at = axis(dim, len(head))
        return Shape((*head[:at], 1, *head[at + 1 :]) if keepdim and head else head[:at] + head[at + 1 :])
    gone = axes(dim, len(head))
    if keepdim:
        return Shape(tuple(1 if at in gone else size for at, size in enumerate(head)))
    return Shape(tuple(size for at, size in enumerate(head) if at not in gone))


def every(dim: Any) -> bool:
    """Whether an operator with this `dim` reduces all dimensions."""
    return dim is None or dim in ((), [])


def tensor(value: Any) -> TensorSpec:
    """The value, which must be a tensor."""
    if type(value) is TensorSpec:
        return value
    raise CallError(f"expected the input to be a tensor, got {value_text(value)}")


def of_kind(x: Any, refused: Kinds) -> DType | None:
    """The dtype of a tensor; raises DTypeError if it is of a refused kind and the tensor has elements to order.

    torch checks the dtype only when it computes: an empty tensor or a single number passes.
    """
    shape = tensor(x).shape
    if x.dtype is None or x.dtype.kind not in refused or 0 in shape.head or 0 in shape.tail or shape.rank == 0:
        return x.dtype  # type: ignore[no-any-return]
    return accept(x.dtype, refused)


def need_bool(value: Any, name: str) -> None:
    """Raises CallError if a flag is a number or a string, which torch does not accept."""
    if isinstance(value, (int, float, str, Dim, tuple, list)) and not isinstance(value, bool):
        hint = "; pass several dimensions as a tuple: dim=(0, 1)" if name == "keepdim" and type(value) is int else ""
        raise CallError(f"expected {name} to be a bool, got {value_text(value)}{hint}")


def _without_all(shape: Shape, keepdim: bool) -> Shape:
    if not keepdim:
        return Shape()
    ones = (1,) * len(shape.head)
    return Shape(ones, shape.run and Shape.anything().run, (1,) * len(shape.tail))


def _open(shape: Shape, dim: Any, keepdim: bool) -> Shape:
    given = [at if type(at) is int else axis(at, 64) for at in (dim if isinstance(dim, (tuple, list)) else (dim,))]
    if len(set(given)) < len(given):
        raise ShapeError(f"a dim appears twice in {value_text(tuple(given))}")
    if keepdim:
        for at in given:
            shape = shape.with_at(at, 1)
        return shape
    # From the middle outwards, so that removing one does not renumber the others: they count from either end.
    for at in (*sorted((at for at in given if at >= 0), reverse=True), *sorted(at for at in given if at < 0)):
        shape = shape.without(at)
    return shape


def _sizes_at(shape: Shape, dim: Any) -> Iterable[Size]:
    """The sizes of the reduced dimensions, as far as they are known."""
    if every(dim):
        return (*shape.head, *shape.tail)
    if shape.run is None and not shape.head:
        return ()
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    return [size for size in map(shape.at, dims) if size is not None]


def need_elements(shape: Shape, dim: Any, what: str) -> None:
    """Raises ShapeError if a reduced dimension is empty: `what` of no elements is undefined."""
    if 0 in shape.head or 0 in shape.tail:
        for size in _sizes_at(shape, dim):
            if size == 0:
                where = "" if dim is None else f" along dim {value_text(dim)}"
                raise ShapeError(f"expected at least one element{where} for the {what}, got shape {shape}")


def need_some(shape: Shape, what: str) -> None:
    """Raises ShapeError if the tensor has no elements."""
    if shape.run is None and numel(shape.head) == 0:
        raise ShapeError(f"expected at least one element for the {what}, got shape {shape}")


def result(x: TensorSpec, dim: Any, keepdim: Any, dtype: DType | None) -> TensorSpec:
    """A new tensor without these dimensions; it is contiguous whatever the input's strides."""
    return TensorSpec.make(reduced(x.shape, dim, keepdim), dtype, "contiguous", x.device)


def chosen(given: Any) -> DType | None:
    """The dtype that a caller passes, None if it is not known."""
    return None if type(given) is Unknown else as_dtype(given)


def counted(dtype: DType | None, given: Any = None) -> DType | None:
    """The dtype of a sum or a product: the one given, int64 for ints and bools, otherwise the input's."""
    if given is not None:
        return chosen(given)
    if dtype is None or dtype.is_floating or dtype.is_complex:
        return dtype
    return _INT64


_INT64 = as_dtype("int64")


def averaged(dtype: DType | None, given: Any = None) -> DType | None:
    """The dtype of a mean; raises DTypeError for ints and bools."""
    what, dtype = ("the input", dtype) if given is None else ("dtype", chosen(given))
    if dtype is None or dtype.is_floating or dtype.is_complex:
        return dtype
    raise DTypeError(f"expected {what} to be floating-point or complex, got {dtype}; pass dtype=torch.float32")
