"""Two shapes whose runs are parts of the same axes, written with one run."""

from __future__ import annotations

from shapecheck.spec.dim import unknown
from shapecheck.spec.shape import Shape
from shapecheck.spec.variadic_axes import VariadicAxes


def with_common_run(a: Shape, b: Shape) -> tuple[Shape, Shape]:
    """Both shapes with the same run if theirs are parts of the same axes; else as they are."""
    if a.run is None or b.run is None or a.run == b.run or a.run.whole[0] is not b.run.whole[0]:
        return a, b
    return _shown(a, a.run, b.run), _shown(b, b.run, a.run)


def _shown(shape: Shape, run: VariadicAxes, other: VariadicAxes) -> Shape:
    """The shape with the axes ahead of and behind the run that the other run lacks."""
    (whole, first, last), (_, other_first, other_last) = run.whole, other.whole
    ahead, behind = max(other_first - first, 0), max(other_last - last, 0)
    head, tail = (tuple(unknown(low=0) for _ in range(count)) for count in (ahead, behind))
    return Shape((*shape.head, *head), whole.without_ends(first + ahead, last + behind), (*tail, *shape.tail))
