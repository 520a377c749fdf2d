"""Operators on lists of tensors of unknown length: what joins them, and what takes a tensor apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shapecheck.ops import Trait, Unknown, names_with
from shapecheck.spec import Shape, TensorSpec, unknown
from shapecheck.spec.dtype import int64
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.domain.values import ListValue, SummarySequence, Value
from shapecheck.static.engine.iteration import some_item


def one_for_many(name: str, args: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """The arguments of an operator that joins a list of unknown length, with one tensor for all; None for any other."""
    if (
        name not in names_with(Trait.JOINS)
        or not args
        or not (isinstance(args[0], SummarySequence) or is_summary(args[0]))
    ):
        return None
    item = some_item(args[0])
    return (ListValue((item,)), *args[1:]) if isinstance(item, TensorSpec) else None


def as_joined(joined: Any, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Value:
    """What joining any number of tensors gives, told by what joining one does: nobody knows the size at `dim`."""
    dim = args[1] if len(args) > 1 else kwargs.get("dim", kwargs.get("axis", 0))
    if not isinstance(joined, TensorSpec) or type(dim) is not int:
        return Unknown("tensors joined at an unknown axis")
    return _with_size_unknown(joined, dim)


def _with_size_unknown(tensor: TensorSpec, dim: int) -> TensorSpec:
    if tensor.rank is None:
        return TensorSpec.make(Shape.anything(), tensor.dtype, "unknown", tensor.device)
    sizes = list(tensor.dims)
    sizes[dim] = unknown(low=0)
    return TensorSpec.make(Shape(tuple(sizes)), tensor.dtype, "unknown", tensor.device)


def _indices(name: str, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Value | None:
    """Where a tensor of unknown rank is true: a vector of places for each axis."""
    each = len(args) == 1 and (name == "where" or kwargs.get("as_tuple") is True)
    return SummarySequence(TensorSpec.make(Shape((unknown("nonzero", low=0),)), int64)) if each else None


def parted(name: str, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Value | None:
    """The parts of a tensor, alike and of unknown number; None where its rank is not known."""
    tensor = args[0] if args else None
    if name in ("where", "nonzero"):
        return _indices(name, args, kwargs) if isinstance(tensor, TensorSpec) else None
    place = 1 if name == "unbind" else 2
    dim = args[place] if len(args) > place else kwargs.get("dim", kwargs.get("axis", 0))
    if not isinstance(tensor, TensorSpec) or not tensor.rank or type(dim) is not int:
        return None
    if not -tensor.rank <= dim < tensor.rank:
        return None
    if name == "unbind":
        return SummarySequence(tensor.with_shape(tensor.shape.without(dim % tensor.rank)).with_layout("unknown"))
    return SummarySequence(_with_size_unknown(tensor, dim))
