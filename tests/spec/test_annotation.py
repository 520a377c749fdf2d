"""spec.annotation: what is read, what is refused and at which column; the same as jaxtyping refuses."""

from __future__ import annotations

import itertools
from typing import Any, Optional, Union, get_args

import jaxtyping
import jaxtyping._array_types
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.spec.annotation import (
    DTYPE_CLASSES,
    AxisPattern,
    Fixed,
    Named,
    Symbolic,
    Variadic,
    parse_annotation,
    parse_axes,
)
from shapecheck.spec.annotation_text import parse_annotation_text
from shapecheck.spec.dim import axis
from shapecheck.spec.errors import AnnotationError, ShapeError
from shapecheck.spec.tensor import TensorSpec
from shapecheck.spec.unify import match_any
from shapecheck.spec.variadic_axes import VariadicAxes
from tests.amount import examples
from tests.steps import steps


def summary(pattern: AxisPattern) -> str:
    """The kind of axis, its marks and what it holds, in short."""
    marks = "#" * pattern.broadcast + "?" * pattern.tree
    kind = type(pattern).__name__.lower()
    if isinstance(pattern, (Named, Variadic)):
        return f"{kind}{marks} {pattern.name}"
    if isinstance(pattern, Fixed):
        return f"{kind}{marks} {pattern.size}"
    return f"{kind}{marks} {pattern.expression.text}" if isinstance(pattern, Symbolic) else kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("   ", []),
        ("b t", ["named b", "named t"]),
        ("_ _x", ["anonymous", "anonymous"]),
        ("...", ["variadic None"]),
        ("*batch c", ["variadic batch", "named c"]),
        ("*#x #y ?z", ["variadic# x", "named# y", "named? z"]),
        ("*_ c", ["variadic None", "named c"]),
        ("rows=4 cols=n k=#m", ["fixed 4", "named n", "named# m"]),
        ("-1 #3 1_000", ["fixed -1", "fixed# 3", "fixed 1000"]),
        ("None for", ["named None", "named for"]),
        ("b (h w)", ["named b", "symbolic (h", "symbolic w)"]),
        ("2*d+1 #n+1", ["symbolic 2*d+1", "symbolic# n+1"]),
        ("min(a,b)", ["symbolic min(a,b)"]),
        ("rows=", ["named "]),
        ("a==b", ["symbolic a==b"]),
        ("\tb\n t ", ["named b", "named t"]),
    ],
)
def test_axes(text: str, expected: list[str]) -> None:
    assert [summary(pattern) for pattern in parse_axes(text)] == expected


@pytest.mark.parametrize("text", ["b t", "  b   2*d\n*x", "rows=4\t_"])
def test_columns_point_at_the_axis(text: str) -> None:
    for pattern in parse_axes(text):
        assert text[pattern.column :].startswith(pattern.text)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("b, t", 0, "spaces, not by commas"),
        ("b t#", 2, "# must be at the start"),
        ("b ...x", 2, "must be separated by spaces"),
        ("b ##x", 2, "# twice"),
        ("**x", 0, "* twice"),
        ("__x", 0, "_ twice"),
        ("??x", 0, "? twice"),
        ("*x b *y", 5, 'at most one variadic axis, got "*x" and "*y"'),
        ("... ...", 4, "at most one variadic axis"),
        ("*4", 0, "fixed axis"),
        ("_4", 0, "anonymous"),
        ("?4", 0, "tree"),
        ("a *n+1", 2, "symbolic axis"),
        ("a _n+1", 2, "symbolic axis"),
        ("a ?n+1", 2, "symbolic axis"),
        ("   #_", 3, "broadcast"),
        ("a \0", 2, "character"),
        ("a \udc80", 2, "character"),
    ],
)
def test_refused(text: str, column: int, words: str) -> None:
    with pytest.raises(AnnotationError) as caught:
        parse_annotation("Float", text)
    assert caught.value.column == column
    assert words in str(caught.value)


@settings(max_examples=examples(800), deadline=None)
@given(st.text(st.sampled_from("ab1#*_?=.+-, ({})") | st.characters(codec="utf-8"), max_size=12))
def test_refuses_what_jaxtyping_refuses(text: str) -> None:
    try:
        jaxtyping.Float[torch.Tensor, text]
        refused = False
    except ValueError:
        refused = True
    try:
        annotation = parse_annotation("Float", text)
    except AnnotationError as error:
        assert refused
        assert 0 <= error.column < max(1, len(text))
    else:
        assert not refused
        assert len(annotation.axes) == len(text.split())
        annotation.spec()


def test_every_dtype_class_of_jaxtyping_is_known() -> None:
    theirs = {
        name: value.dtypes
        for module in (jaxtyping, jaxtyping._array_types)
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, jaxtyping.AbstractDtype) and hasattr(value, "dtypes")
    }
    assert theirs.keys() == DTYPE_CLASSES.keys()
    for name, dtypes in theirs.items():
        ours = DTYPE_CLASSES[name]
        assert ours == (None if dtypes is jaxtyping._array_types._any_dtype else frozenset(dtypes))


def test_unknown_dtype_class() -> None:
    with pytest.raises(AnnotationError, match="Float31"):
        parse_annotation("Float31", "b")
    with pytest.raises(AnnotationError, match="did you mean Float32"):
        parse_annotation_text('Float31[Tensor, "b"]')


def test_problems_are_told_though_jaxtyping_accepts_them() -> None:
    problems = parse_annotation("Float", "b (h w) 2*n {self.d").problems
    assert [problem.column for problem in problems] == [2, 5, 12]
    assert 'axis "(h" is not a valid Python expression; for a group' in str(problems[0])
    assert "f-string" in str(problems[2])


def test_holes() -> None:
    annotation = parse_annotation("Float", "{self.d} a {len(x)}*{self.d}+1 {{a}}")
    assert annotation.holes == ("self.d", "len(x)")


def test_spec() -> None:
    spec = parse_annotation("Float32", "b 4 2*d+b _ #h *r n=3 -1 {self.d} x.y").spec("f")
    head, run, tail = spec.shape.head, spec.shape.run, spec.shape.tail
    b, d = axis("b", "f"), axis("d", "f")
    assert head[:3] == (b, 4, 2 * d + b)
    assert [str(size) for size in head[3:]] == ["_", "#h"]
    assert run == VariadicAxes("r", "f")
    assert tail[0] == 3
    assert [str(size) for size in tail[1:]] == ["-1", "{self.d}", "x.y"]
    assert str(spec.dtype) == "torch.float32"


def test_spec_knows_only_what_is_promised() -> None:
    assert parse_annotation("Float", "").spec() == TensorSpec((), None)
    assert parse_annotation("Key", "").spec().dtype is None
    for text in ("...", "*#r", "*_"):
        run = parse_annotation("Shaped", text).spec().shape.run
        assert run is not None
        assert run.name is None
    once, again = (parse_annotation("Shaped", "_").spec() for _ in range(2))
    assert once != again
    assert isinstance(parse_annotation("Shaped", "2//0").spec().shape.head[0], object)


# --- whole annotations ----------------------------------------------------------------------------------------------

NAMESPACE: dict[str, Any] = {name: getattr(jaxtyping, name) for name in DTYPE_CLASSES if hasattr(jaxtyping, name)}
NAMESPACE |= {"Tensor": torch.Tensor, "torch": torch, "jaxtyping": jaxtyping}
NAMESPACE |= {"Union": Union, "Optional": Optional, "Any": Any}

WHOLE = [
    'Float[Tensor, "a b"]',
    'jaxtyping.Float[torch.Tensor, "a b"]',
    'Union[Float[Tensor, "a"], Int[Tensor, "a b"]]',
    'Float[Tensor, "a"] | Int[Tensor, "a b"] | None',
    'Optional[Float[Tensor, "a a"]]',
    'Union[Tensor, Float[Tensor, "a"]]',
    "Tensor",
    "torch.Tensor | None",
    "int",
    'Float[Any, "a b"]',
    'Float[Tensor | float, ""]',
    'Float[Union[Tensor, int], "a"]',
    'Float[float, "..."]',
    'Float[float, "a"]',
    'Int[float, ""]',
    'Shaped[int, ""]',
    'Float[Float32[Tensor, "b"], "a"]',
    'Shaped[Float32[Tensor, "b"], "a"]',
    'Float32[Shaped[Tensor, "b"], "a"]',
    'Float[Int[Tensor, "b"], "a"]',
    'Float8e4m3b11fnuz[Float[Tensor, "a"], "b"]',
    'Float[Float[Tensor, "... b"], "a"]',
    'Float[Float[Tensor, "... b"], "*a"]',
    'Float[Float[Tensor | float, ""], "a"]',
    'Float[Num[Inexact[Tensor, "a"], "b"], "c"]',
    'Float[Tensor, "a,b"]',
    'Float[Tensor, "a" "b"]',
    'Float[Tensor, "a", "b"]',
    "Float[Tensor]",
    'Bool[Tensor, ""]',
]


@pytest.mark.parametrize("text", WHOLE)
def test_whole_annotations_as_jaxtyping_reads_them(text: str) -> None:
    try:
        theirs = eval(text, dict(NAMESPACE))
    except ValueError:
        with pytest.raises(AnnotationError):
            parse_annotation_text(text)
        return
    ours = parse_annotation_text(text)
    for name, shape in itertools.product(
        ("float32", "float16", "int64", "bool"), ((), (2,), (2, 2), (2, 3), (2, 3, 4), (1, 2, 3, 4))
    ):
        tensor = torch.empty(shape, dtype=getattr(torch, name), device="meta")
        try:
            match_any(ours, TensorSpec(shape, name))
            verdict = True
        except ShapeError:
            verdict = False
        members = get_args(theirs) or (theirs,)
        assert verdict == any(isinstance(tensor, member) for member in members), (name, shape)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'Float[Tensor, \"a\"]'", ['Float[Tensor, "a"]']),
        ('t.Union[jt.Int[th.Tensor, "a"], None]', ['Int[th.Tensor, "a"]']),
        ('Float[Float32[Tensor, "b"], "a"]', ['Float[Tensor, "a b"]']),
        ("Tensor", ['Shaped[Tensor, "..."]']),
        ("None", []),
    ],
)
def test_whole_annotations(text: str, expected: list[str]) -> None:
    assert [str(annotation) for annotation in parse_annotation_text(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Float",
        "Float[",
        "Foo",
        "Foo[Tensor]",
        "3",
        "''",
        "f(x)",
        "lambda: 0",
        'Float[Tensor, f"{n}"]',
        "\0",
        "|".join(["Tensor"] * 5_000),
        "(" * 5_000,
        "Float[" * 5_000,
        "-" * 50_000 + "1",
    ],
)
def test_text_that_is_no_annotation(text: str) -> None:
    assert steps(lambda: _parsed(text)) < 250_000


def _parsed(text: str) -> None:
    try:
        parse_annotation_text(text)
    except AnnotationError as error:
        assert len(str(error)) < 300
    else:
        assert text.startswith("Tensor|")


def test_annotations_compare() -> None:
    assert parse_annotation("Float", "a b") == parse_annotation("Float", "a b")
    assert len({parse_annotation("Float", "a"), parse_annotation("Float", "a"), parse_annotation("Int", "a")}) == 2
    assert parse_annotation("Float", "a") != "a"
