"""Children, key and rebuilding of any abstract value, those of Python, `spec` and `ops` included."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from copy import copy
from types import EllipsisType
from typing import NamedTuple, TypeVar

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.ops.shared.named import NamedResult
from shapecheck.spec import Dim, DType, TensorSpec
from shapecheck.static.domain.abstract_values import AbstractValue, Value

_V = TypeVar("_V")

LEAVES = frozenset(
    (type(None), bool, int, float, complex, str, bytes, EllipsisType, range, Dim, DType, TensorSpec, Other)
)
"""Immutable kinds without children, whose equal values are interchangeable."""


class _Native(NamedTuple):
    """How to decompose and rebuild values of a kind that does not derive from AbstractValue."""

    children: Callable[..., tuple[Value, ...]]
    rebuild: Callable[..., object]
    key: Callable[..., Hashable]


def children(value: Value) -> tuple[Value, ...]:
    """The values that a value consists of: none for a number, the items of a tuple, the fields of an object."""
    if type(value) in LEAVES:
        return ()
    if type(value) is tuple:
        return value
    if isinstance(value, AbstractValue):
        return value.children()
    return _native(value).children(value)


def rebuild(value: _V, parts: tuple[Value, ...]) -> _V:
    """The same value with other children: as many as it has, in the same order.

    An object or a layer is copied.
    """
    if type(value) in LEAVES:
        return value
    if isinstance(value, AbstractValue):
        return value.rebuild(parts)
    return _native(value).rebuild(value, parts)  # type: ignore[return-value] # of the same kind


def key(value: Value) -> Hashable:
    """What distinguishes a value, except its children: values with equal keys and equal children are the same value.

    Identity is not part of it: two lists with the same items have equal keys.
    """
    kind = type(value)
    if kind in LEAVES:
        return kind, value
    if isinstance(value, AbstractValue):
        return kind, value.key()
    return kind, _native(value).key(value)


def key_and_children(value: Value) -> tuple[Hashable, tuple[Value, ...]]:
    """The key and the children of a value, with one lookup of its kind."""
    kind = type(value)
    if isinstance(value, AbstractValue):
        return (kind, value.key()), value.children()
    if kind in LEAVES:
        return (kind, value), ()
    native = _native(value)
    return (kind, native.key(value)), native.children(value)


def has_hidden_state(value: Value) -> bool:
    """Whether it reaches values that are not among its children."""
    return isinstance(value, AbstractValue) and value.has_hidden_state


def map_children(value: _V, change: Callable[[Value], Value]) -> _V:
    """The value with a function applied to its children; the value itself if none of them changes."""
    before = children(value)  # type: ignore[arg-type] # a value
    after = tuple(map(change, before))
    return value if all(map(_is, before, after)) else rebuild(value, after)


def _is(one: Value, other: Value) -> bool:
    return one is other


def reached(value: Value, through: tuple[type, ...], depth: int) -> Iterator[Value]:
    """A value and the values that it contains, descending into values of these kinds up to a depth."""
    yield value
    if depth and isinstance(value, through):
        for one in children(value):
            yield from reached(one, through, depth - 1)


def _native(value: object) -> _Native:
    kind = type(value)
    found = _NATIVES.get(kind)
    if found is None:
        found = _NATIVES[kind] = next((rules for base, rules in _FAMILIES if issubclass(kind, base)), _ATOM)
    return found


def _nothing(_: Value) -> tuple[Value, ...]:
    return ()


def _itself(value: Value, _: tuple[Value, ...]) -> Value:
    return value


def _with_attributes(layer: ModuleSpec, parts: tuple[Value, ...]) -> ModuleSpec:
    made = copy(layer)
    vars(made).update(zip(vars(layer), parts, strict=True))
    return made


def _dict_of(_: Value, parts: tuple[Value, ...]) -> Value:
    half = len(parts) // 2
    return dict(zip(parts[:half], parts[half:], strict=True))


def _named(value: NamedResult, parts: tuple[Value, ...]) -> NamedResult:
    return NamedResult(**dict(zip(value._fields, parts, strict=True)))


def _tuple_of(value: tuple[Value, ...], parts: tuple[Value, ...]) -> tuple[Value, ...]:
    make = getattr(value, "_make", None)
    return tuple(parts) if make is None else make(parts)


_ATOM = _Native(_nothing, _itself, lambda value: value)
_FAMILIES: tuple[tuple[type, _Native], ...] = (
    (NamedResult, _Native(tuple, _named, lambda value: value._fields)),
    (tuple, _Native(tuple, _tuple_of, len)),
    (list, _Native(tuple, lambda _, parts: list(parts), len)),
    (dict, _Native(lambda value: (*value, *value.values()), _dict_of, len)),
    (slice, _Native(lambda value: (value.start, value.stop, value.step), lambda _, parts: slice(*parts), _nothing)),
    (
        ModuleSpec,
        _Native(lambda value: tuple(vars(value).values()), _with_attributes, lambda value: tuple(vars(value))),
    ),
    (Unknown, _Native(_nothing, _itself, _nothing)),
)
"""The fields of a namedtuple belong to its type; those of a `NamedResult` belong to the value."""
_NATIVES: dict[type, _Native] = {}
