"""Broadcasting: right-aligned, with the dimensions that each side expanded.

The rule is NumPy's and PyTorch's (https://docs.pytorch.org/docs/stable/notes/broadcasting.html): two sizes broadcast
if they are equal or one of them is 1, and a missing dimension counts as 1.
"""

from __future__ import annotations

from shapecheck.spec.caching import cached
from shapecheck.spec.common_run import with_common_run
from shapecheck.spec.dim import Dim, Size, at_least, is_variable, maximum, minimum, same, unknown, without_common_factor
from shapecheck.spec.errors import ShapeError
from shapecheck.spec.presentation import value_text
from shapecheck.spec.shape import Shape
from shapecheck.spec.variadic_axes import VariadicAxes


class Broadcast:
    """The result of broadcasting two or more shapes.

    shape: the result.
    expanded: for each input the dimensions of the result (negative, from the end) that it expanded: it had 1 there,
        or no such dimension, and the result has another size.
    """

    __slots__ = ("expanded", "shape")

    def __init__(self, shape: Shape, expanded: tuple[tuple[int, ...], ...]) -> None:
        self.shape = shape
        self.expanded = expanded

    @property
    def outer(self) -> bool:
        """Whether two inputs each expanded a dimension of the other: `(n,)` and `(n, 1)` give `(n, n)`."""
        sets = [set(axes) for axes in self.expanded]
        return any(a - b and b - a for i, a in enumerate(sets) for b in sets[i + 1 :])


def broadcast(*shapes: Shape) -> Broadcast:
    """Broadcasts shapes together; raises ShapeError, which names the dimension and both sizes, if they cannot be.

    A symbolic size broadcast with a constant other than 1 gives the constant, whatever its value is.
    """
    result = shapes[0] if shapes else Shape()
    for shape in shapes[1:]:
        result = broadcast_shapes(result, shape)
    return Broadcast(result, tuple(_expanded(shape, result) for shape in shapes))


def broadcast_shapes(a: Shape, b: Shape) -> Shape:
    """The shape that two shapes broadcast to; raises ShapeError if they cannot be broadcast."""
    if a.run is None and b.run is None:
        return a if a.head == b.head else Shape(_known(a.head, b.head, a, b))
    return _open(a, b)


def broadcast_sizes(a: Size, b: Size) -> Size | None:
    """The size that two sizes broadcast to, None if they cannot be broadcast for any value of their names."""
    if a == b:
        return a
    if type(a) is int:
        if a == 1:
            return b
        if type(b) is int:
            return a if b == 1 else None
        return None if _clash(a, b) else a
    if type(b) is int:
        if b == 1:
            return a
        return None if _clash(a, b) else b
    return _symbolic(a, b)


def _symbolic(a: Size, b: Size) -> Size | None:
    """The size of the result; 2*n and 3*n, which broadcast only if n is 0, are refused."""
    if same(a, b):
        return a
    if same(*without_common_factor(a, b)) is False and not may_be_one(a) and not may_be_one(b):
        return None
    if at_least(a, 2) and at_least(b, 2):  # neither broadcasts, so that they are equal
        return a
    least = minimum(a, b)
    if least in (a, b):  # the smaller one is equal, or 1, as the part `[:t]` of a mask that is not empty is to t
        return b if least == a else a
    # Sizes that broadcast and are at least 1 are equal or one of them is 1: the result is the greater one.
    if at_least(a, 1) and at_least(b, 1):
        return maximum(a, b)
    return unknown(low=0)


def _clash(a: Size, b: Size) -> bool:
    return same(a, b) is False and not may_be_one(a) and not may_be_one(b)


def may_be_one(size: Size) -> bool:
    """Whether a size can be 1 and broadcast.

    A named axis can have any size: `c` in place of `d` is an error although both may happen to be 1.
    """
    if isinstance(size, Dim) and is_variable(size) and size.scope:
        return False
    return same(size, 1) is not False


def _known(a: tuple[Size, ...], b: tuple[Size, ...], left: Shape, right: Shape) -> tuple[Size, ...]:
    if len(a) < len(b):
        extra, a, b = b[: len(b) - len(a)], b[len(b) - len(a) :], a
    else:
        extra, a = a[: len(a) - len(b)], a[len(a) - len(b) :]
    dims = []
    for index, (x, y) in enumerate(zip(a, b, strict=True)):
        size = broadcast_sizes(x, y)
        if size is None:
            _refuse(index - len(a), left, right)
        else:
            dims.append(size)
    return (*extra, *dims)


def _refuse(dim: int, a: Shape, b: Shape) -> None:
    left, right = a.at(dim), b.at(dim)
    raise ShapeError(
        f"cannot broadcast {a} and {b}: {value_text(left)} != {value_text(right)} in dimension {dim}"
    ).between(left, right)


@cached(1 << 12)
def _open(a: Shape, b: Shape) -> Shape:
    """The result for shapes of which one has an unknown rank: for the same two shapes, the same unknown one."""
    a, b = with_common_run(a, b)
    if a.run is not None and a.run == b.run and len(a.head) == len(b.head) and len(a.tail) == len(b.tail):
        return Shape(_known(a.head, b.head, a, b), a.run, _known(a.tail, b.tail, a, b))
    tail: list[Size] = []
    least = max(len(shape.head) if shape.run is None else len(shape.tail) for shape in (a, b))
    for index in range(-1, -least - 1, -1):
        size = _hidden_size(_from_end(a, index), _from_end(b, index))
        if size is None:
            _refuse(index, a, b)
        else:
            tail.insert(0, size)
    for one, other in ((a, b), (b, a)):
        if other.run is None and len(other.head) <= len(one.tail):
            if one.run is not None and one.run.broadcasts:
                one.run.note_broadcast(tuple(tail), a, b)
            return Shape(one.head, one.run, tuple(tail))
    run = VariadicAxes()
    run.note_broadcast(tuple(tail), a, b)
    return Shape((), run, tuple(tail))


def _from_end(shape: Shape, index: int) -> Size | None:
    if shape.run is None and -index > len(shape.head):
        return 1
    return shape.at(index)


def _hidden_size(a: Size | None, b: Size | None) -> Size | None:
    """Sizes that broadcast, where a run may hide one of them (None)."""
    if a is not None and b is not None:
        return broadcast_sizes(a, b)
    shown = b if a is None else a
    return shown if isinstance(shown, int) and shown > 1 else unknown(low=0)


def _expanded(shape: Shape, result: Shape) -> tuple[int, ...]:
    shown = len(result.head) if result.run is None else len(result.tail)
    if shape.run is not None:
        shown = min(shown, len(shape.tail))
    return tuple(
        index
        for index in range(-shown, 0)
        if _from_end(shape, index) == 1 and _from_end(result, index) not in (1, None)
    )
