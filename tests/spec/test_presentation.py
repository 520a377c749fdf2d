"""What a value of the checked program looks like in a message."""

from __future__ import annotations

import pytest

from shapecheck.ops import Other, Unknown, infer
from shapecheck.spec import Shape, TensorSpec
from shapecheck.spec.dtype import as_dtype
from shapecheck.spec.expression import parse_size
from shapecheck.spec.presentation import clipped, quoted, value_text

LONG = parse_size("+".join(f"size{i}" for i in range(40)))

TEXTS = [
    ("same", '"same"'),
    ("it's", '"it\'s"'),
    ('a "b"', r'"a \"b\""'),
    ("a\nb", r'"a\nb"'),
    (2.5, "2.5"),
    (None, "None"),
    (True, "True"),
    (parse_size("2*c+1"), "2*c+1"),
    (Shape(("b", 3)), "(b, 3)"),
    (Shape.anything(), "(...)"),
    (as_dtype("float32"), "torch.float32"),
    (TensorSpec(("b", 3), "int64"), "a tensor of shape (b, 3)"),
    ((1, parse_size("c")), "(1, c)"),
    ((parse_size("c"),), "(c,)"),
    ([1, "x"], '[1, "x"]'),
    ((), "()"),
    (list(range(20)), "[0, 1, 2, 3, 4, 5, 6, 7, ...]"),
    ([[[[1]]]], "[[[a list]]]"),
    (..., "..."),
    ({}, "a dict"),
    (slice(1), "a slice"),
    (print, "a function"),
    (object(), "an object"),
    (Unknown("no rule"), "an unknown value"),
    (Other("context manager"), "context manager"),
    (infer("nn.Linear", 3, 4), "Linear(3, 4)"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_text_of_a_value(value: object, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    "value", ["x" * 200, LONG, [LONG] * 9, Shape([LONG] * 9)], ids=["str", "size", "list", "shape"]
)
def test_a_long_value_is_elided(value: object) -> None:
    text = value_text(value)
    assert len(text) == 63
    assert text.endswith("...")


def test_clipped_text_has_one_line() -> None:
    assert clipped("a\n  b", longest=2) == "a ..."


def test_quoted_text_reads_back() -> None:
    assert quoted("naïve") == '"naïve"'
