"""Random abstract values, and the partial order among them: which of two covers the other."""

from __future__ import annotations

from functools import reduce
from typing import Any

from hypothesis import strategies as st

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Shape, Size, TensorSpec, unknown
from shapecheck.spec.dim import axis, is_variable
from shapecheck.spec.dtype import float32, int64
from shapecheck.static.domain.alternatives import Alternatives, members_of
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.join import join, same_value

N, M, SOME = axis("n"), axis("m"), unknown("some", low=0)
_GIVEN = (N, M, SOME)
"""The sizes that the strategies draw; any other unknown size was created by a join."""


def sizes() -> st.SearchStrategy[Size]:
    """Numbers, axis names, an unknown size, and expressions of them."""
    return st.one_of(st.integers(0, 3), st.sampled_from((*_GIVEN, N + 1, 2 * M, N * M)))


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Shapes of known and unknown rank."""
    ends = st.lists(sizes(), max_size=2).map(tuple)
    head = draw(ends)
    return Shape(head) if draw(st.booleans()) else Shape(head, Shape.anything().run, draw(ends))


def tensors() -> st.SearchStrategy[TensorSpec]:
    """Tensors with known and unknown properties."""
    return st.builds(
        TensorSpec.make,
        shapes(),
        st.sampled_from((None, float32, int64)),
        st.sampled_from(("unknown", "contiguous")),
        st.sampled_from((None, "cpu", "meta")),
    )


def plain() -> st.SearchStrategy[Any]:
    """Values of Python, sizes among them."""
    floats = st.sampled_from((0.0, 0.5, 2.0))
    return st.one_of(sizes(), st.booleans(), st.none(), st.sampled_from(("", "a", "b")), floats)


def single() -> st.SearchStrategy[Any]:
    """Values that are no alternatives, and tuples of them."""
    leaves = st.one_of(plain(), tensors(), st.builds(UnknownFloat), st.builds(Unknown))
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=4)


def values() -> st.SearchStrategy[Any]:
    """Any value; alternatives are made as the interpreter makes them, by joins."""
    several = st.lists(st.one_of(plain(), tensors()), min_size=2, max_size=4).map(lambda found: reduce(join, found))
    return st.one_of(single(), several)


def pairs() -> st.SearchStrategy[tuple[Any, Any]]:
    """Two values, often of one kind, as others have nothing in common."""
    return st.one_of(*(st.tuples(kind, kind) for kind in (values(), tensors(), plain(), _rows())))


def _rows() -> st.SearchStrategy[Any]:
    return st.tuples(tensors(), plain())


def covers(known: Any, value: Any) -> bool:
    """Whether the first value is at least the second: all that is known about it holds for the second."""
    if isinstance(known, Alternatives) or isinstance(value, Alternatives):
        return _is_unknown(known) or all(
            any(covers(one, member) for one in members_of(known)) for member in members_of(value)
        )
    if _is_unknown(known):
        return True
    if isinstance(known, UnknownFloat):
        return isinstance(value, (float, UnknownFloat))
    if isinstance(known, TensorSpec) and isinstance(value, TensorSpec):
        return _tensor_covers(known, value)
    if isinstance(known, tuple) and isinstance(value, tuple):
        return len(known) == len(value) and all(map(covers, known, value))
    return _size_covers(known, value) if isinstance(known, Dim) else same_value(known, value)


def alike(one: Any, other: Any) -> bool:
    """Whether two values are equivalent; unknown sizes are equivalent to each other."""
    return covers(one, other) and covers(other, one)


def _is_unknown(value: Any) -> bool:
    return isinstance(value, Unknown) and not isinstance(value, (Alternatives, UnknownFloat))


def _is_new(size: Size) -> bool:
    """Whether it is an unknown size that a join created."""
    return isinstance(size, Dim) and is_variable(size) and not any(size == one for one in _GIVEN)


def _size_covers(known: Size, value: Any) -> bool:
    return (type(value) is int or isinstance(value, Dim)) and (_is_new(known) or known == value)


def _tensor_covers(known: TensorSpec, value: TensorSpec) -> bool:
    kept = (
        known.dtype in (None, value.dtype)
        and known.device in (None, value.device)
        and known.layout in ("unknown", value.layout)
        and known.strides in (None, value.strides)
    )
    return kept and _shape_covers(known.shape, value.shape)


def _shape_covers(known: Shape, value: Shape) -> bool:
    if known.rank is not None:
        return known.rank == value.rank and all(map(_size_covers, known.head, value.head))
    if known.least_rank > value.least_rank:
        return False
    pairs = [(size, value.at(place)) for place, size in enumerate(known.head)]
    pairs += [(size, value.at(place - len(known.tail))) for place, size in enumerate(known.tail)]
    return all(other is not None and _size_covers(size, other) for size, other in pairs)
