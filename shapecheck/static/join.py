"""What holds of two values, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce
from typing import Any

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.ops.shared.named import NamedResult
from shapecheck.spec import Dim, Shape, Size, TensorSpec, unknown
from shapecheck.static.alternatives import Alternatives, Perhaps, members_of, one_of, present
from shapecheck.static.arrays.value import ArraySpec
from shapecheck.static.distributions.value import DistributionSpec
from shapecheck.static.floats import SomeFloat
from shapecheck.static.values import Builtin, External, Member, Method, Value

Agree = Callable[[Size, Size], Size | None]
"""The size that two sizes are, each in its branch; None where there is no such size."""


def _equal(one: Size, other: Size) -> Size | None:
    return one if one == other else None


def join(one: Value, other: Value, agree: Agree = _equal) -> Value:
    """A value of which everything known holds of both: small sets of alternatives, or Unknown where nothing does."""
    if one is other or same_value(one, other):
        return one
    merged = _merged(one, other, agree)
    if merged is not None:
        return merged
    if not isinstance(one, (Alternatives, Unknown)) and not isinstance(other, (Alternatives, Unknown)):
        return one_of((one, other))
    return _joined_members(one, other, agree)


def joined_items(one: dict[Value, Value], other: dict[Value, Value], agree: Agree) -> dict[Value, Value]:
    """The items that a dict has whichever of two it is; those that only one has may be absent."""
    found: dict[Value, Value] = {}
    for key in dict.fromkeys((*one, *other)):
        held = [items[key] for items in (one, other) if key in items]
        value = reduce(partial(join, agree=agree), map(present, held))
        sure = len(held) == 2 and not any(isinstance(each, Perhaps) for each in held)
        found[key] = value if sure else Perhaps(value)
    return found


def widened(before: Value, after: Value) -> Value:
    """What a field holds after one more round of a loop: unknown where its alternatives became more."""
    if isinstance(after, Alternatives):
        return after if len(after.members) <= len(members_of(before)) else Unknown("it changes from round to round")
    if type(after) is tuple:
        known = before if type(before) is tuple and len(before) == len(after) else (None,) * len(after)
        return tuple(widened(a, b) for a, b in zip(known, after, strict=True))
    if isinstance(after, dict) and isinstance(before, dict):
        return {key: widened(before.get(key), value) for key, value in after.items()}
    return after


_COMPARED = (
    *(bool, int, float, str, type(None)),
    *(Dim, TensorSpec, External, ArraySpec, DistributionSpec, Member, SomeFloat),
)


def same_value(one: Value, other: Value) -> bool:
    """Whether two values are equal, as far as equality of plain values goes."""
    if type(one) is not type(other):
        return False
    if isinstance(one, _COMPARED):
        return bool(one == other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same_value, one, other))
    if isinstance(one, ModuleSpec):
        return _same_fields(vars(one), vars(other))
    if isinstance(one, Method):
        return one.function is other.function and one.receiver is other.receiver
    if isinstance(one, Builtin):
        return one.name == other.name and one.receiver is other.receiver
    return isinstance(one, Alternatives) and _same_members(one, other)


def _same_fields(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one.keys() == other.keys() and all(
        value is other[name] or same_value(value, other[name]) for name, value in one.items()
    )


def _same_members(one: Alternatives, other: Alternatives) -> bool:
    return len(one.members) == len(other.members) and all(
        any(a is b or same_value(a, b) for b in other.members) for a in one.members
    )


def _merged(one: Value, other: Value, agree: Agree) -> Value | None:
    """The one value that two are, where they are of one kind: tensors of one rank, tuples of one length, sizes."""
    if isinstance(one, TensorSpec) and isinstance(other, TensorSpec):
        apart = one.rank is not None and other.rank is not None and one.rank != other.rank
        return None if apart else _join_tensors(one, other, agree)
    if isinstance(one, ArraySpec) and isinstance(other, ArraySpec):
        both = _merged(one.spec, other.spec, agree)
        return None if both is None else ArraySpec(both)
    if isinstance(one, tuple) and type(one) is type(other) and len(one) == len(other):
        return _like(one, [join(a, b, agree) for a, b in zip(one, other, strict=True)])
    if _is_size(one) and _is_size(other):
        return agree(one, other)
    return None


def _like(one: tuple[Value, ...], items: list[Value]) -> tuple[Value, ...]:
    """A tuple of these items, with the names that the items of `one` have, if any."""
    make = getattr(one, "_make", None)
    if make is not None:
        return make(items)  # type: ignore[no-any-return]
    return NamedResult(**dict(zip(one._fields, items, strict=True))) if isinstance(one, NamedResult) else tuple(items)


def _is_size(value: Value) -> bool:
    return type(value) is int or isinstance(value, Dim)


def _joined_members(one: Value, other: Value, agree: Agree) -> Value:
    found: list[Any] = list(members_of(one))
    for member in members_of(other):
        if isinstance(member, Unknown):
            return Unknown("two branches give different values")
        for index, known in enumerate(found):
            if known is member or same_value(known, member):
                break
            merged = _merged(known, member, agree)
            if merged is not None:
                found[index] = merged
                break
        else:
            found.append(member)
    return one_of(found)


def _join_tensors(one: TensorSpec, other: TensorSpec, agree: Agree) -> TensorSpec:
    dtype = one.dtype if one.dtype is other.dtype else None
    shape = _join_shapes(one.shape, other.shape, agree)
    same_layout = one.layout == other.layout and one.strides == other.strides and shape == one.shape
    return TensorSpec.make(
        shape,
        dtype,
        one.layout if same_layout else "unknown",
        one.device if one.device == other.device else None,
        one.strides if same_layout else None,
    )


def _join_shapes(one: Shape, other: Shape, agree: Agree) -> Shape:
    if one == other:
        return one
    if one.rank is not None and one.rank == other.rank:
        return Shape(tuple(_join_sizes(a, b, agree) for a, b in zip(one.dims, other.dims, strict=True)))
    least = min(one.least_rank, other.least_rank)
    tails = _ending(one), _ending(other)
    after = min(len(tails[0]), len(tails[1]))
    tail = [_join_sizes(tails[0][-back], tails[1][-back], agree) for back in range(after, 0, -1)]
    before = min(len(one.head), len(other.head), least - after)
    head = [_join_sizes(a, b, agree) for a, b in zip(one.head[:before], other.head[:before], strict=True)]
    return Shape(tuple(head), Shape.anything().run, tuple(tail))


def _ending(shape: Shape) -> tuple[Size, ...]:
    """The sizes that are known from the end."""
    return shape.head if shape.run is None else shape.tail


def _join_sizes(one: Size, other: Size, agree: Agree) -> Size:
    found = agree(one, other)
    return unknown(low=0) if found is None else found
