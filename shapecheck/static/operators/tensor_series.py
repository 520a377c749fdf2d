"""Operators that join a list of tensors of unknown length, or split a tensor into an unknown number of parts."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Shape, Size, TensorSpec, unknown
from shapecheck.spec.dtype import int64
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.followed_axes import resized_axes
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.domain.values import SummarySequence
from shapecheck.static.engine.iteration import some_item


def with_summary_item(args: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """The arguments of a joining operator with one tensor for a list of unknown length; None for any other list."""
    if not args or not (isinstance(args[0], SummarySequence) or is_summary(args[0])):
        return None
    item = some_item(args[0])
    return (ListValue((item,)), *args[1:]) if isinstance(item, TensorSpec) else None


def join_of_many(joined: Value, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Value:
    """The result of joining any number of tensors, from that of joining one: the size at `dim` is unknown."""
    dim = _axis_argument(1, args, kwargs)
    if not isinstance(joined, TensorSpec) or type(dim) is not int:
        return Unknown("tensors joined along an unknown dimension")
    return _with_size(joined, dim)


def _axis_argument(index: int, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Value:
    return args[index] if len(args) > index else kwargs.get("dim", kwargs.get("axis", 0))


def _with_size(tensor: TensorSpec, dim: int, size: Size | None = None) -> TensorSpec:
    """The tensor with another size at `dim`, unknown if it is None."""
    if tensor.rank is None:
        run = resized_axes(tensor.shape.run, dim)
        return TensorSpec.make(Shape((), run, ()), tensor.dtype, "unknown", tensor.device)
    sizes = list(tensor.dims)
    sizes[dim] = unknown(low=0) if size is None else size
    return TensorSpec.make(Shape(tuple(sizes)), tensor.dtype, "unknown", tensor.device)


def _indices(name: str, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Value | None:
    """The indices of nonzero elements as vectors, one for each axis; None if the call returns a single tensor."""
    is_tuple = len(args) == 1 and (name == "where" or kwargs.get("as_tuple") is True)
    return SummarySequence(TensorSpec.make(Shape((unknown("nonzero", low=0),)), int64)) if is_tuple else None


def parts_of_unknown_number(name: str, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Value | None:
    """The result of splitting a tensor into an unknown number of like parts; None if too little is known of it."""
    tensor = args[0] if args else None
    if name in ("where", "nonzero"):
        return _indices(name, args, kwargs) if isinstance(tensor, TensorSpec) else None
    dim = _axis_argument(1 if name == "unbind" else 2, args, kwargs)
    if not isinstance(tensor, TensorSpec) or not tensor.rank or type(dim) is not int:
        return None
    if not -tensor.rank <= dim < tensor.rank:
        return None
    if name == "unbind":
        part = tensor.with_shape(tensor.shape.without(dim % tensor.rank)).with_layout("unknown")
    else:
        part = _with_size(tensor, dim, _part(args, kwargs) if name == "split" else None)
    return SummarySequence(part, are_alike=True)


def _part(args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Size | None:
    """The size that all parts have but the last one, which may be smaller."""
    part = args[1] if len(args) > 1 else kwargs.get("split_size_or_sections", kwargs.get("split_size"))
    return part if type(part) is int or isinstance(part, Dim) else None
