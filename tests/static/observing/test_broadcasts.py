"""The arguments that the shape of a result is broadcast from."""

from __future__ import annotations

from shapecheck.spec import Shape, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.static.observing.broadcasts import broadcast_arguments

SIZE = 4


def open_shape(*tail: Size) -> Shape:
    return Shape((), VariadicAxes(), tail)


def broadcast(one: Shape, other: Shape) -> Shape:
    whole = open_shape(*one.tail)
    assert whole.run is not None
    whole.run.note_broadcast(whole.tail, one, other)
    return whole


def test_a_sum_is_broadcast_from_both_operands() -> None:
    x, y, z = (open_shape(SIZE) for _ in range(3))
    arguments = {name: TensorSpec.make(shape, None) for name, shape in (("x", x), ("y", y), ("z", z))}
    result = TensorSpec.make(broadcast(broadcast(x, y), x), None)
    assert broadcast_arguments(arguments, result, lambda size: size) == {"x", "y"}


def test_operands_that_sums_share_are_compared_once() -> None:
    """A residual stream is an operand of every layer after it; a walk along all paths takes 2**40 steps."""
    x = open_shape(SIZE)
    shape = x
    tails: list[Size] = []
    for _ in range(40):
        tail = unknown("n")
        tails.append(tail)
        whole = open_shape(tail)
        assert whole.run is not None
        whole.run.note_broadcast((SIZE,), shape, shape)
        shape = whole
    compared = 0

    def settled(size: Size) -> Size:
        nonlocal compared
        compared += 1
        return SIZE if size in tails else size

    result = TensorSpec.make(shape, None)
    assert broadcast_arguments({"x": TensorSpec.make(x, None)}, result, settled) == {"x"}
    assert compared <= 10 * len(tails)
