"""Matches values against types: returns the axis bindings, or raises the violation."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import Annotation, AnnotationError, Bindings, DTypeError, ShapeError, TensorSpec, match
from shapecheck.spec.bindings import agreed
from shapecheck.spec.unify import match_any
from shapecheck.static.contracts.annotation_types import (
    AnnotationType,
    LiteralType,
    PlainType,
    SequenceOf,
    TensorType,
    TupleOf,
    UnionOf,
)
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import present
from shapecheck.static.domain.objects import DictValue, ListValue
from shapecheck.static.domain.placeholders import as_written
from shapecheck.static.domain.values import SummarySequence


def matched(kind: AnnotationType, value: Value, bindings: Bindings) -> Bindings:
    """Returns the bindings with those of this value added. Raises ShapeError if the value certainly violates the type.

    Only shapes and dtypes are checked: passing a list for a tensor is left to the type checker.
    """
    if isinstance(kind, TensorType):
        return _match_tensor(kind, value, bindings) if isinstance(value, TensorSpec) else bindings
    if isinstance(kind, UnionOf):
        return _match_union(kind, value, bindings)
    if isinstance(kind, TupleOf) and type(value) is tuple and len(value) == len(kind.items):
        for one, item in zip(kind.items, value, strict=True):
            bindings = matched(one, item, bindings)
        return bindings
    return _match_items(kind, value, bindings) if isinstance(kind, SequenceOf) else bindings


def _match_tensor(kind: TensorType, value: TensorSpec, bindings: Bindings) -> Bindings:
    try:
        return match(kind.annotation, value, bindings, order_free=True)
    except AnnotationError:
        return bindings


def _match_union(kind: UnionOf, value: Value, bindings: Bindings) -> Bindings:
    """The bindings common to the members that accept the value; raises the first violation if none does."""
    if isinstance(value, TensorSpec):
        if any(isinstance(one, SequenceOf) and one.tensors for one in kind.members):
            return bindings
        return _match_any_tensor(
            [one.annotation for one in kind.members if isinstance(one, TensorType)], value, bindings
        )
    possible: list[Bindings] = []
    refusals: list[ShapeError] = []
    for one in kind.members:
        if accepts(one, value) is not False:
            try:
                possible.append(matched(one, value, bindings))
            except ShapeError as refusal:
                refusals.append(refusal)
    if refusals and not possible:
        raise refusals[0]
    return agreed(possible) if possible else bindings


def _match_any_tensor(annotations: list[Annotation], value: TensorSpec, bindings: Bindings) -> Bindings:
    try:
        return match_any(annotations, value, bindings, order_free=True) if annotations else bindings
    except AnnotationError:
        return bindings
    except ShapeError as refusal:
        kind = DTypeError if _all_refuse_dtype(annotations, value) else ShapeError
        raise kind("; ".join(str(refusal).splitlines())).about(*refusal.names) from None


def _all_refuse_dtype(annotations: list[Annotation], value: TensorSpec) -> bool:
    dtype = value.dtype
    return dtype is not None and all(one.dtypes is not None and dtype not in one.dtypes for one in annotations)


def _match_items(kind: SequenceOf, value: Value, bindings: Bindings) -> Bindings:
    """Matches each item with the same bindings, so that items may have different sizes; keeps what all agree on."""
    items = _items(kind, value)
    each = [matched(kind.item, one, bindings) for one in items]
    return agreed(each) if each else bindings


def _items(kind: SequenceOf, value: Value) -> list[Value]:
    if isinstance(value, SummarySequence):
        return [value.item] if value.mapping is kind.mapping else []
    if kind.mapping:
        return list(map(present, value.items.values())) if isinstance(value, DictValue) and not value.lost else []
    if isinstance(value, ListValue):
        return [] if value.lost else list(value.items)
    return list(value) if type(value) is tuple else []


def accepts(kind: AnnotationType, value: Value) -> bool | None:
    """Whether a value is an instance of the type, apart from shapes; None if unknown."""
    if isinstance(value, Unknown) or value is ...:
        return None
    if isinstance(kind, UnionOf):
        verdicts = [accepts(one, value) for one in kind.members]
        return True if True in verdicts else None if None in verdicts else False
    if isinstance(kind, PlainType):
        return _is_plain(kind.type, value)
    if isinstance(kind, LiteralType):
        plain = isinstance(value, (bool, int, str, type(None)))
        return any(type(one) is type(as_written(value)) and one == value for one in kind.values) if plain else False
    if isinstance(kind, TensorType):
        return isinstance(value, TensorSpec)
    if isinstance(kind, SequenceOf) and kind.tensors and isinstance(value, TensorSpec):
        return True
    if isinstance(kind, (TupleOf, SequenceOf)):
        return None if isinstance(value, (tuple, ListValue, DictValue, SummarySequence)) else False
    return None


def _is_plain(expected: type, value: Value) -> bool | None:
    if isinstance(value, (bool, int, float, str, type(None))):
        kind = type(as_written(value))
        return kind is expected or (expected is float and kind is int)
    return False if isinstance(value, (TensorSpec, tuple, ListValue, DictValue, SummarySequence)) else None
