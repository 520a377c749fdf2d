"""The verdicts of jaxtyping with beartype on random annotations and tensors, and of our two paths on the same.

SHAPECHECK_FUZZ_EXAMPLES=10000 makes so many calls. Where the two differ on purpose is listed in docs/runtime.md.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Optional, Union

import jaxtyping
import torch
from beartype import beartype
from beartype.roar import BeartypeException
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, checked
from shapecheck.runtime import source
from shapecheck.spec import AnnotationError
from tests.amount import amount
from tests.runtime.support import held, holding

RUNS = amount("SHAPECHECK_FUZZ_EXAMPLES", short=200, long=2000)

AXES = """a b c 2 3 1 _ _x #a #b #2 2*a a+1 a-1 b//2 a*b 2*a+b max(a,b) a/2 #a+1 rows=3 {n} 2*{n} {n}+a -1""".split()
RUN = "... *r *s *#r #*s *_".split()
DTYPES = ("Float", "Float", "Float", "Int", "Shaped", "Float32", "Bool")
TENSORS = (torch.float32, torch.float32, torch.float32, torch.int64, torch.float64, torch.bool)
SIZES = st.sampled_from((0, 1, 2, 2, 3, 3, 4, 6))
N = 2


class Asked(NamedTuple):
    """An annotation, and the shapes of the tensors that may go into it; None stands for what is no tensor."""

    hint: Any
    value: Any


class Call(NamedTuple):
    hints: list[Any]
    values: list[Any]
    result: int | None
    """The parameter whose annotation the result has too, and that is returned."""


@st.composite
def arrays(draw: Any, sizes: dict[str, int]) -> Asked:
    axes = draw(st.lists(st.sampled_from(AXES), max_size=3))
    if draw(st.integers(0, 2)) == 0:
        axes.insert(draw(st.integers(0, len(axes))), draw(st.sampled_from(RUN)))
    shape: list[int] = []
    for axis in axes:
        shape += draw(sizes_for(axis, sizes))
    if draw(st.integers(0, 11)) == 0:
        shape = draw(st.lists(SIZES, max_size=4))
    dtype = draw(st.sampled_from(DTYPES))
    hint = getattr(jaxtyping, dtype)[torch.Tensor, " ".join(axes)]
    wanted = {"Int": torch.int64, "Bool": torch.bool}.get(dtype, torch.float32)
    chosen = wanted if draw(st.integers(0, 5)) else draw(st.sampled_from(TENSORS))
    return Asked(hint, torch.empty(shape, dtype=chosen))


@st.composite
def sizes_for(draw: Any, axis: str, sizes: dict[str, int]) -> list[int]:
    """The sizes that fit an axis, mostly."""
    if axis in RUN:
        ends = [sizes["b"], 2][: draw(st.integers(0, 2))]
        return [1 if "#" in axis and draw(st.booleans()) else size for size in ends]
    if draw(st.integers(0, 14)) == 0 or axis.startswith("_"):
        return [draw(SIZES)]
    if "#" in axis and draw(st.booleans()):
        return [1]
    text = axis.strip("#").partition("=")[2] or axis.strip("#")
    value = eval(text.replace("{n}", str(N)), dict(sizes))
    return [max(0, int(value))]


@st.composite
def asked(draw: Any, sizes: dict[str, int]) -> Asked:
    one = draw(arrays(sizes))
    form = draw(st.sampled_from(("plain",) * 6 + ("optional", "union", "tuple", "list", "dict", "int")))
    if form == "optional":
        return Asked(Optional[one.hint], draw(st.sampled_from((None, one.value))))
    if form == "union":
        other = draw(arrays(sizes))
        return Asked(Union[one.hint, other.hint], draw(st.sampled_from((one.value, other.value))))
    if form == "tuple":
        other = draw(arrays(sizes))
        return Asked(tuple[one.hint, other.hint], (one.value, other.value))
    if form == "list":
        return Asked(list[one.hint], [one.value][: draw(st.integers(0, 1))])
    if form == "dict":
        return Asked(dict[str, one.hint], {"k": one.value})
    return Asked(int, draw(st.sampled_from((1, "x")))) if form == "int" else one


@st.composite
def calls(draw: Any) -> Call:
    sizes = {name: draw(SIZES) for name in "abc"}
    found = draw(st.lists(asked(sizes), min_size=1, max_size=3))
    result = draw(st.sampled_from((None, *range(len(found)))))
    return Call([one.hint for one in found], [one.value for one in found], result)


def function(call: Call) -> Any:
    names = [f"x{index}" for index in range(len(call.hints))]
    space: dict[str, Any] = {}
    body = "None" if call.result is None else names[call.result]
    exec(f"def f(n, {', '.join(names)}):\n    return {body}", space)
    made: Any = space["f"]
    made.__annotations__ = {"n": int, **dict(zip(names, call.hints, strict=True))}
    if call.result is not None:
        made.__annotations__["return"] = call.hints[call.result]
    return made


def verdict(make: Callable[[Any], Any], call: Call) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = make(function(call))
        try:
            made(N, *call.values)
        except (AnnotationError, jaxtyping.AnnotationError):
            return "wrong annotation"
        except (ShapeError, jaxtyping.TypeCheckError, BeartypeException):
            return "refused"
        except ZeroDivisionError:
            return "wrong annotation"
    return "taken"


@settings(max_examples=RUNS, suppress_health_check=list(HealthCheck))
@given(calls())
@example(Call([jaxtyping.Float[torch.Tensor, "a+1 a"]], [torch.empty(3, 2)], None))
def test_the_verdict_is_that_of_jaxtyping(call: Call) -> None:
    theirs = verdict(jaxtyping.jaxtyped(typechecker=beartype), call)
    if theirs != "wrong annotation":
        # There jaxtyping gives up: a name that is bound later is enough for us.
        assert verdict(checked, call) == theirs


@settings(max_examples=RUNS, suppress_health_check=list(HealthCheck))
@given(calls())
def test_generated_code_and_explainer_agree(call: Call) -> None:
    f = checked(function(call))
    explain = held(f)["explain_arguments"]
    arguments = {"n": N, **{f"x{index}": value for index, value in enumerate(call.values)}}
    asked: list[object] = []
    holding(f, explain_arguments=asked.append, explain_result=lambda *values: asked.append(values))(N, *call.values)
    try:
        explain(arguments)
        fits = True
    except (ShapeError, AnnotationError):
        fits = False
    if call.result is None and "try:" in source(f):
        assert fits is (not asked)
