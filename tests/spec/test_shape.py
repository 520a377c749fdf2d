"""Shapes: what they are read from, and what stays known when the rank is not."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from shapecheck.spec import Shape, ShapeError, TensorSpec, Unanswered, VariadicAxes, axis

READ = [
    ((2, 3), "(2, 3)"),
    ((), "()"),
    ((5,), "(5,)"),
    (("b", "2*d", 3), "(b, 2*d, 3)"),
    ("b t 4", "(b, t, 4)"),
    ((..., 128), "(..., 128)"),
    (("*batch", "t", 128), "(*batch, t, 128)"),
    (("b", "...", "w"), "(b, ..., w)"),
    ([axis("n"), 1], "(n, 1)"),
]


@pytest.mark.parametrize(("written", "shown"), READ)
def test_what_a_person_writes(written: Any, shown: str) -> None:
    assert str(Shape.of(written)) == shown


WRONG = [
    ((-1,), "expected a size to be non-negative, got -1"),
    ((..., 2, "*x"), r"at most one run of unknown length, got \.\.\. and \*x"),
    ((2.0,), r"expected a size to be an int, a name, an expression or `...`, got 2\.0"),
    (3, "expected a shape to be a tuple of sizes, got 3"),
    (("a b",), "a b"),
]


@pytest.mark.parametrize(("written", "message"), WRONG)
def test_what_is_no_shape(written: Any, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        Shape.of(written)


# shape, what is done, what is left
PARTLY = [
    ("b c", lambda s: s.with_at(-1, 7), "(b, 7)"),
    ("... d", lambda s: s.with_at(-1, 7), "(..., 7)"),
    ("... d", lambda s: s.with_at(-3, 7), "(..., 7, ?, d)"),
    ("b ... d", lambda s: s.with_at(-2, 7), "(..., 7, d)"),
    ("a b ... d", lambda s: s.with_at(-2, 7), "(a, ..., 7, d)"),
    ("... t d", lambda s: s.with_at(0, 7), "(7, ..., d)"),
    ("b ... d", lambda s: s.with_at(0, 7), "(7, ..., d)"),
    ("b ... d", lambda s: s.with_at(2, 7), "(b, ?, 7, ...)"),
    ("b c d", lambda s: s.without(1), "(b, d)"),
    ("*x c d", lambda s: s.without(-2), "(*x, d)"),
    ("b ... d", lambda s: s.without(-2), "(..., d)"),
    ("a b ... d", lambda s: s.without(-2), "(a, ..., d)"),
    ("b ... d", lambda s: s.without(1), "(b, ...)"),
    ("... t d", lambda s: s.without(0), "(..., d)"),
    ("b c", lambda s: s.inserted(-1, 1), "(b, c, 1)"),
    ("b c", lambda s: s.inserted(0, 1), "(1, b, c)"),
    ("... c", lambda s: s.inserted(-1, 1), "(..., c, 1)"),
    ("... c", lambda s: s.inserted(-2, 1), "(..., 1, c)"),
    ("... c", lambda s: s.inserted(-4, 1), "(..., 1, ?, ?, c)"),
    ("b ... c", lambda s: s.inserted(0, 1), "(1, b, ..., c)"),
    ("b ... c", lambda s: s.inserted(3, 1), "(b, ?, ?, 1, ...)"),
]


@pytest.mark.parametrize(("written", "change", "shown"), PARTLY)
def test_a_change_keeps_what_is_known(written: str, change: Any, shown: str) -> None:
    assert str(change(Shape.of(written))) == shown


@pytest.mark.parametrize("index", [0, 1, 3, -2, -3])
def test_a_hidden_size_is_the_same_each_time(index: int) -> None:
    shape = Shape.of("... c")
    other = Shape(shape.head, shape.run, shape.tail)
    assert shape.at(index) is None
    assert shape.size(index) == other.size(index)
    others = [one for one in (0, 1, 3, -2, -3) if one != index]
    assert shape.size(index) not in [shape.size(one) for one in others], "another dimension"
    assert shape.size(index) != Shape.of("... c").size(index), "other axes"


def test_a_hidden_size_depends_on_what_is_behind_the_axes() -> None:
    """Which is what the index selects if there are too few of them."""
    shape = Shape.of("... c")
    assert shape.size(0) != Shape(shape.head, shape.run, (7,)).size(0)


REST_OF = {
    "removed, and kept with size 1": (lambda s: s.without(-1), lambda s: s.with_at(-1, 1).without(-1)),
    "two removed, in two ways": (lambda s: s.without(-1).without(0), lambda s: s.without(0).without(-1)),
    "removed, and inserted again": (lambda s: s.without(0).inserted(0, 7), lambda s: s.with_at(0, 7)),
    "inserted before the last one": (lambda s: s.inserted(-2, 7).without(-1), lambda s: s.without(-1).inserted(-1, 7)),
}


@pytest.mark.parametrize("name", REST_OF)
def test_the_rest_of_a_run_is_the_same_each_time(name: str) -> None:
    one, other = REST_OF[name]
    shape, another = Shape.of("..."), Shape.of("...")
    assert one(shape) == other(shape)
    assert one(shape) != other(another)
    assert one(shape).run != shape.run


def test_a_run_between_known_dimensions_may_be_empty() -> None:
    shape = Shape.of("b ... d")
    assert shape.without(-2) != shape.without(-2)
    assert shape.without(1) != shape.without(1)


def test_the_rank_is_known_or_a_rule_stays_silent() -> None:
    assert Shape.of("b c").rank == 2
    partly = Shape.of("b ... c")
    assert (partly.rank, partly.least_rank) == (None, 2)
    assert (str(partly.at(0)), str(partly.at(-1)), partly.at(1), partly.at(-2)) == ("b", "c", None, None)
    with pytest.raises(Unanswered, match="the rank of"):
        _ = partly.dims


def test_named_runs_of_one_scope_are_the_same_axes_and_nameless_ones_are_not() -> None:
    assert VariadicAxes("batch") == VariadicAxes("batch") != VariadicAxes("other")
    assert VariadicAxes() != VariadicAxes()
    assert VariadicAxes("batch", "f") != VariadicAxes("batch", "g")


def test_a_spec_is_immutable_hashable_and_can_be_pickled() -> None:
    spec = TensorSpec(("b", 3), "float32", layout="contiguous", device="cpu")
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert hash(spec) == hash(TensorSpec(("b", 3), "torch.float32", "contiguous", "cpu"))
    assert repr(spec) == "TensorSpec((b, 3), 'float32', layout='contiguous', device='cpu')"
    with pytest.raises(AttributeError, match="immutable"):
        spec.dtype = None


def test_of_very_many_axes_only_the_ends_are_kept_and_shown() -> None:
    shape = Shape.of(tuple(range(10_000)))
    assert (shape.rank, shape.at(0), shape.at(-1)) == (None, 0, 9_999)
    assert len(str(shape)) < 1_000
    assert len(str(Shape.of((" + ".join(f"n{i}" for i in range(1_000)),)))) < 1_000


def test_a_long_shape_is_elided() -> None:
    assert f"{Shape(tuple(range(100)))}" == "(0, 1, 2, 3, 4, 5, <88 more>, 94, 95, 96, 97, 98, 99)"
    size = sum((axis(f"some_name_{index}") for index in range(20)), axis("n"))
    for rank in range(1, 100):
        shown = f"{Shape((size,) * rank)}"
        assert "..." in shown
        assert len(shown) < 240


LENGTHS = {
    # of the run of a shape after a change, relative to that of the shape: (written, change, count)
    "a dimension in the middle is removed": ("...", lambda shape: shape.without(1), -1),
    "one before others": ("... 3 4", lambda shape: shape.without(2), 1),
    "a dimension in the middle gets a size": ("... 3", lambda shape: shape.with_at(1, 7), -1),
    "a dimension is inserted": ("... 3", lambda shape: shape.inserted(2, 7), -1),
}


@pytest.mark.parametrize(("written", "change", "count"), LENGTHS.values(), ids=LENGTHS)
def test_a_run_of_other_dimensions_has_a_known_length(written: str, change: Any, count: int) -> None:
    shape = Shape.of(written)
    first, second = change(shape), change(shape)
    assert first.run.longer_than == (shape.run, count)
    assert first.run != second.run  # as many dimensions, but possibly others
    assert first.run.sizes(2) == first.run.sizes(2)
