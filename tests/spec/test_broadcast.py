"""Broadcasting: the result, what each side expanded, and where two shapes clash."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from shapecheck.spec import Shape, ShapeError, VariadicAxes, axis, broadcast, unknown

RESULTS = [
    ("b 3", "3", "(b, 3)"),
    ("n", "n 1", "(n, n)"),
    ("b 1 d", "t 1", "(b, t, d)"),
    ("", "b c", "(b, c)"),
    ("n", "3", "(3,)"),
    ("1", "0", "(0,)"),
    ("... 128", "128", "(..., 128)"),
    ("... 128", "b 1 128", "(..., ?, ?, 128)"),
    ("... 128", "4 1 128", "(..., 4, ?, 128)"),
    ("*x d", "d", "(*x, d)"),
    ("*x 1", "*x d", "(*x, d)"),
    ("*x d", "*y d", "(..., d)"),
    ("b ... d", "d", "(b, ..., d)"),
    ("b ... d", "t d", "(..., ?, d)"),
]


@pytest.mark.parametrize(("a", "b", "shown"), RESULTS)
def test_two_shapes_give(a: str, b: str, shown: str) -> None:
    for one, other in ((a, b), (b, a)):
        assert str(broadcast(Shape.of(one), Shape.of(other)).shape) == shown


CLASHES = [
    ("b c", "b d", -1),
    ("2 3", "4 3", -2),
    ("... 3", "4", -1),
    ("d", "4*d", -1),
    ("2*n", "7", -1),
]


@pytest.mark.parametrize(("a", "b", "place"), CLASHES)
def test_two_shapes_clash_at(a: str, b: str, place: int) -> None:
    with pytest.raises(ShapeError, match=rf"cannot broadcast .*: \S+ != \S+ in dimension {place}$"):
        broadcast(Shape.of(a), Shape.of(b))


EXPANDED = [
    ("n", "n 1", ((-2,), (-1,)), True),
    ("b 1 d", "t 1", ((-2,), (-3, -1)), True),
    ("b t d", "d", ((), (-3, -2)), False),
    ("b t d", "b t d", ((), ()), False),
    ("b 1", "b 1", ((), ()), False),
    ("... 1", "b 3", ((-1,), ()), False),
]


@pytest.mark.parametrize(("a", "b", "expanded", "outer"), EXPANDED)
def test_what_each_side_expanded(a: str, b: str, expanded: object, outer: bool) -> None:
    both = broadcast(Shape.of(a), Shape.of(b))
    assert both.expanded == expanded
    assert both.outer is outer


def test_free_names_prove_nothing_against_each_other() -> None:
    n, m = axis("n", scope=""), axis("m", scope="")
    assert str(broadcast(Shape((n,)), Shape((m,))).shape) == "(max(n, m),)"
    assert str(broadcast(Shape((n,)), Shape((4 * n,))).shape) == "(4*n,)"


def test_sizes_that_broadcast_and_are_at_least_2_are_equal() -> None:
    n, m = unknown("n", low=2), unknown("m", low=2)
    assert broadcast(Shape((n + 1,)), Shape((2 * m,))).shape == Shape((n + 1,))


def test_multiples_of_a_size_that_may_be_0_clash() -> None:
    n = unknown("n", low=0)
    with pytest.raises(ShapeError, match=r"2\*n != 3\*n"):
        broadcast(Shape((2 * n,)), Shape((3 * n,)))
    assert str(broadcast(Shape((n,)), Shape((2 * n,))).shape) == "(2*n,)"  # n is 0 or 1


dims = st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=4).map(tuple)


@given(dims, dims, dims)
def test_as_torch_broadcasts(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...]) -> None:
    shapes = [Shape(one) for one in (a, b, c)]
    try:
        due = tuple(torch.broadcast_shapes(a, b, c))
    except RuntimeError:
        with pytest.raises(ShapeError):
            broadcast(*shapes)
    else:
        assert broadcast(*shapes).shape == due


def test_axes_without_their_ends_broadcast_with_the_whole() -> None:
    run = VariadicAxes()
    whole, rest = Shape((), run), Shape((), run.without_ends(0, 1), (1,))
    for one, other in ((whole, rest), (rest, whole)):
        assert broadcast(one, other).shape.run is run.without_ends(0, 1)
        assert broadcast(one, other).shape.least_rank == 1
    assert broadcast(whole, Shape((), VariadicAxes(), (1,))).shape.run is not run.without_ends(0, 1)


def test_the_same_shapes_of_unknown_rank_have_the_same_result() -> None:
    one, other = Shape((), VariadicAxes()), Shape((), VariadicAxes(), (3,))
    assert broadcast(one, other).shape == broadcast(one, other).shape
    assert broadcast(one, other).shape != broadcast(Shape((), VariadicAxes()), other).shape
