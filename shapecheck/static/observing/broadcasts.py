"""The arguments of a call that the shape of its result is broadcast from, as far as their ranks are unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shapecheck.spec import Shape, Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.array_likes import mark_of

_MOST_PARTS = 200

Settled = Callable[[Size], Size]


def broadcast_arguments(arguments: Mapping[str, Value], result: Value, settled: Settled) -> frozenset[str]:
    """The arguments with whose whole shape the result broadcasts, in all alternatives of it."""
    open_ones = {
        name: one.shape
        for name, one in arguments.items()
        if isinstance(one, TensorSpec) and one.shape.run is not None and mark_of(one) is None
    }
    if not open_ones:
        return frozenset()
    members = [one for one in (result.members if isinstance(result, Alternatives) else (result,)) if one is not None]
    names = set(open_ones)
    for one in members:
        shapes = _parts(one.shape, settled) if isinstance(one, TensorSpec) else []
        names = {name for name in names if any(_is_same(open_ones[name], shape, settled) for shape in shapes)}
    return frozenset(names)


def _parts(shape: Shape, settled: Settled) -> list[Shape]:
    """A shape, and the shapes that it is broadcast from, directly or not, each once: sums share their terms."""
    parts = {shape: None}
    left = [shape]
    while left and len(parts) < _MOST_PARTS:
        whole = left.pop()
        if whole.run is None or whole.head:
            continue
        for tail, *operands in whole.run.broadcasts:
            new = [one for one in operands if one not in parts]
            if new and _are_same(tail, whole.tail, settled):
                parts.update(dict.fromkeys(new))
                left += new
    return list(parts)


def _is_same(one: Shape, other: Shape, settled: Settled) -> bool:
    return (
        one.run == other.run and _are_same(one.head, other.head, settled) and _are_same(one.tail, other.tail, settled)
    )


def _are_same(ones: tuple[Size, ...], others: tuple[Size, ...], settled: Settled) -> bool:
    return len(ones) == len(others) and all(
        a == b or settled(a) == settled(b) for a, b in zip(ones, others, strict=True)
    )
