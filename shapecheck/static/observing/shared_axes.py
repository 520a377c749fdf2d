"""Variadic axes of one call: shapes that have the same axes of unknown number, or these without some at either end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shapecheck.spec import Dim, Shape, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.objects import ListValue

_DEEPEST = 4


class SharedAxes:
    """Writes each shape of a call with the part of its variadic axes that all shapes with these axes have.

    If one shape is `(*a)` and another `(*a)` without its last axis, the first is `(*b, n)` and the second `(*b)`.
    """

    def __init__(self, values: Iterable[Value]) -> None:
        self._ends: dict[VariadicAxes, tuple[int, int]] = {}
        """The most axes at either end that some shape lacks, by the whole axes."""
        self._sizes: dict[tuple[VariadicAxes, bool, int], Dim] = {}
        for shape in (shape for value in values for shape in _shapes(value, 0)):
            if shape.run is not None:
                whole, first, last = shape.run.whole
                known = self._ends.get(whole, (0, 0))
                self._ends[whole] = max(known[0], first), max(known[1], last)

    def expanded(self, shape: Shape) -> Shape:
        """The shape with the axes one by one that some other shape lacks."""
        if shape.run is None:
            return shape
        whole, first, last = shape.run.whole
        most_first, most_last = self._ends.get(whole, (first, last))
        if (first, last) == (most_first, most_last):
            return shape
        return Shape(
            (*shape.head, *(self._size(whole, False, index) for index in range(first, most_first))),
            whole.without_ends(most_first, most_last),
            (*(self._size(whole, True, index) for index in reversed(range(last, most_last))), *shape.tail),
        )

    def _size(self, whole: VariadicAxes, from_end: bool, index: int) -> Size:
        return self._sizes.setdefault((whole, from_end, index), unknown())


def _shapes(value: Value, depth: int) -> Iterator[Shape]:
    if isinstance(value, TensorSpec):
        yield value.shape
        return
    parts: Iterable[Value] = ()
    if isinstance(value, Alternatives):
        parts = value.members
    elif type(value) is tuple:
        parts = value
    elif isinstance(value, ListValue) and not value.lost:
        parts = value.items
    for one in parts if depth < _DEEPEST else ():
        yield from _shapes(one, depth + 1)
