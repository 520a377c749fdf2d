"""The join of two values, and widening."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import TypeGuard

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Shape, Size, TensorSpec, unknown
from shapecheck.spec.common_run import with_common_run
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import MOST_MEMBERS, Alternatives, MaybeAbsent, members_of, one_of, present
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.followed_axes import joined_axes
from shapecheck.static.domain.objects import Object
from shapecheck.static.domain.partly_known import joined
from shapecheck.static.domain.structure import LEAVES, children, rebuild
from shapecheck.static.domain.structure import key as key_of
from shapecheck.static.domain.unknown_options import UNKNOWN_KINDS, UnknownOption
from shapecheck.static.domain.unset_argument import UnsetArgument

Agree = Callable[[Size, Size], Size | None]
"""The size that covers two sizes, one from each branch; None if there is none."""


def _equal(one: Size, other: Size) -> Size | None:
    return one if one == other else None


def join(one: Value, other: Value, agree: Agree = _equal) -> Value:
    """The least value that covers both: a merged value, alternatives, or Unknown if there would be too many."""
    if one is other:
        return one
    kinds = (type(one), type(other))
    if UnknownOption in kinds:
        return UnknownOption("an option in one of two branches")
    if Unknown in kinds:
        return _join_with_unknown(other)
    if UnsetArgument in kinds:
        return _join_with_unset(one, other)
    if same_value(one, other):
        return one
    merged = _merged(one, other, agree)
    if merged is not None:
        return merged
    if not isinstance(one, (Alternatives, Unknown)) and not isinstance(other, (Alternatives, Unknown)):
        return one_of((one, other))
    return _joined_members(one, other, agree)


def _join_with_unknown(last: Value) -> Unknown:
    """The join of values of which one is Unknown; its reason depends on the last of them."""
    for each in members_of(last):
        if isinstance(each, Unknown) and type(each) is not UnknownFloat:
            return Unknown("different values in two branches")
    return Unknown("too many different values")


def _join_with_unset(one: Value, other: Value) -> Value:
    """The join of an argument whose default is None with what a branch has in its place."""
    unset, rest = (one, other) if isinstance(one, UnsetArgument) else (other, one)
    found = unset.joined(rest) if isinstance(unset, UnsetArgument) else None
    return _join_with_unknown(other) if found is None else found


def joined_all(values: Sequence[Value], join_two: Callable[[Value, Value], Value]) -> Value:
    """The join of at least one value, by a function that joins two; without calling it if one of them is Unknown."""
    kinds = set(map(type, values))
    if kinds.isdisjoint(UNKNOWN_KINDS):
        return reduce(join_two, values)
    first = values[0]
    if all(one is first for one in values):
        return first
    if UnknownOption in kinds:
        return UnknownOption("an option in one of two branches")
    return _join_with_unknown(values[-1])


def joined_items(one: dict[Value, Value], other: dict[Value, Value], agree: Agree) -> dict[Value, Value]:
    """The join of the items of two dicts; items that only one of them has may be absent."""
    found: dict[Value, Value] = {}
    for key, value in one.items():
        if key not in other:
            found[key] = MaybeAbsent(present(value))
            continue
        another = other[key]
        both = join(present(value), present(another), agree)
        is_sure = not isinstance(value, MaybeAbsent) and not isinstance(another, MaybeAbsent)
        found[key] = both if is_sure else MaybeAbsent(both)
    found |= {key: MaybeAbsent(present(value)) for key, value in other.items() if key not in one}
    return found


def widen_value(before: Value, after: Value) -> Value:
    """The value of a field after one more round of a loop: unknown if the number of its alternatives grew.

    Tensors of more and more ranks become one of unknown rank.
    """
    if isinstance(after, Alternatives):
        if len(after.members) <= len(members_of(before)):
            return after
        if all(isinstance(one, TensorSpec) for one in after.members):
            return one_of(_with_one_tensor(after.members))
        if _are_floats(after.members):
            return UnknownFloat()
        return Unknown("a value that changes between iterations")
    if type(after) is tuple:
        known = before if type(before) is tuple and len(before) == len(after) else (None,) * len(after)
        return tuple(widen_value(a, b) for a, b in zip(known, after, strict=True))
    if isinstance(after, dict) and isinstance(before, dict):
        return {key: widen_value(before.get(key), value) for key, value in after.items()}
    return after


def same_value(one: Value, other: Value) -> bool:
    """Whether two values are certainly equal. Unknown values never are, objects only if they are identical."""
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in LEAVES:
        return bool(one == other)
    if isinstance(one, Object):
        return one is other
    if isinstance(one, Alternatives) and isinstance(other, Alternatives):
        return _same_members(one, other)
    if isinstance(one, Unknown) and not isinstance(one, UnknownFloat):
        return False
    parts, others = children(one), children(other)
    return len(parts) == len(others) and key_of(one) == key_of(other) and all(map(_are_same, parts, others))


def _are_same(one: Value, other: Value) -> bool:
    return one is other or same_value(one, other)


def _same_members(one: Alternatives, other: Alternatives) -> bool:
    return len(one.members) == len(other.members) and _includes(one, other) and _includes(other, one)


def _includes(one: Alternatives, other: Alternatives) -> bool:
    return all(any(_are_same(a, b) for b in one.members) for a in other.members)


def _merged(one: Value, other: Value, agree: Agree) -> Value | None:
    """The single value that covers two of one kind, such as tensors of one rank; None if there is none."""
    if isinstance(one, TensorSpec) and isinstance(other, TensorSpec):
        apart = one.rank is not None and other.rank is not None and one.rank != other.rank
        return None if apart else _join_tensors(one, other, agree)
    if isinstance(one, ArraySpec) and isinstance(other, ArraySpec):
        both = _merged(one.spec, other.spec, agree)
        return ArraySpec(both) if isinstance(both, TensorSpec) else None
    if isinstance(one, tuple) and type(one) is type(other) and len(one) == len(other):
        return rebuild(one, tuple([join(a, b, agree) for a, b in zip(one, other, strict=True)]))
    if _is_size(one) and _is_size(other):
        return agree(one, other)
    if UnknownFloat in (type(one), type(other)) and _are_floats((one, other)):
        return UnknownFloat()
    return joined(one, other)


def _are_floats(values: Iterable[Value]) -> bool:
    return all(isinstance(one, (float, UnknownFloat)) for one in values)


def _is_size(value: Value) -> TypeGuard[Size]:
    return type(value) is int or isinstance(value, Dim)


def _joined_members(one: Value, other: Value, agree: Agree) -> Value:
    found = list(members_of(one))
    for member in members_of(other):
        if isinstance(member, Unknown) and not isinstance(member, UnknownFloat):
            return Unknown("different values in two branches")
        _add_member(found, member, agree)
    if len(found) > MOST_MEMBERS and _are_floats(found):
        return UnknownFloat()
    return one_of(found if len(found) <= MOST_MEMBERS else _with_one_tensor(found, agree))


def _with_one_tensor(members: Sequence[Value], agree: Agree = _equal) -> list[Value]:
    """The members with one tensor, of unknown rank, in place of all tensors."""
    tensors = [one for one in members if isinstance(one, TensorSpec)]
    found: list[Value] = [one for one in members if not isinstance(one, TensorSpec)]
    if tensors:
        found.append(reduce(partial(_join_tensors, agree=agree), tensors))
    return found


def _add_member(found: list[Value], member: Value, agree: Agree) -> None:
    """Adds a value to alternatives, no two of which can be merged.

    A tensor of unknown rank can be merged with every tensor: it replaces all of them, so that the order in which
    values are joined does not matter.
    """
    kept: list[Value] = []
    place: int | None = None
    for known in found:
        if place is None and _are_same(known, member):
            return
        merged = _merged(known, member, agree)
        if merged is None:
            kept.append(known)
        else:
            member = merged
            place = len(kept) if place is None else place
    kept.insert(len(kept) if place is None else place, member)
    found[:] = kept


def _join_tensors(one: TensorSpec, other: TensorSpec, agree: Agree) -> TensorSpec:
    dtype = one.dtype if one.dtype is other.dtype else None
    shape = _join_shapes(one.shape, other.shape, agree)
    same_layout = one.layout == other.layout and one.strides == other.strides and shape in (one.shape, other.shape)
    return TensorSpec.make(
        shape,
        dtype,
        one.layout if same_layout else "unknown",
        one.device if one.device == other.device else mark_of(one) or mark_of(other),
        one.strides if same_layout else None,
    )


def _join_shapes(one: Shape, other: Shape, agree: Agree) -> Shape:
    if one == other:
        return one
    if one.rank is not None and one.rank == other.rank:
        return Shape(tuple(_join_sizes(a, b, agree) for a, b in zip(one.dims, other.dims, strict=True)))
    if _is_unchanged(one) or _is_unchanged(other):
        one, other = with_common_run(one, other)
    if (
        one.run is not None
        and one.run is other.run
        and (len(one.head), len(one.tail)) == (len(other.head), len(other.tail))
    ):
        ends = ((one.head, other.head), (one.tail, other.tail))
        ahead, behind = (tuple(_join_sizes(a, b, agree) for a, b in zip(*end, strict=True)) for end in ends)
        return Shape(ahead, one.run, behind)
    least = min(one.least_rank, other.least_rank)
    tails = _ending(one), _ending(other)
    after = min(len(tails[0]), len(tails[1]))
    tail = [_join_sizes(tails[0][-back], tails[1][-back], agree) for back in range(after, 0, -1)]
    before = min(len(one.head), len(other.head), least - after)
    head = [_join_sizes(a, b, agree) for a, b in zip(one.head[:before], other.head[:before], strict=True)]
    return Shape(tuple(head), joined_axes(one.run, other.run), tuple(tail))


def _is_unchanged(shape: Shape) -> bool:
    """Whether it has all axes of a tensor of any rank; then the other shape shows how many there are at least.

    Of two changed shapes, each may show that only for tensors that take its branch: `if x.dim() == 4: ... else: ...`.
    """
    return shape.run is not None and not shape.run.is_rest and not shape.least_rank


def _ending(shape: Shape) -> tuple[Size, ...]:
    """The sizes that are known, counted from the end."""
    return shape.head if shape.run is None else shape.tail


def _join_sizes(one: Size, other: Size, agree: Agree) -> Size:
    found = agree(one, other)
    return unknown(low=0) if found is None else found
