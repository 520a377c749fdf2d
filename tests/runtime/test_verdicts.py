"""What a checked function takes and what it refuses, for each kind of axis and each kind of annotation."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, Optional, Union

import pytest
import torch
from jaxtyping import Float, Float32, Int, Shaped
from torch import Tensor

import shapecheck
from shapecheck.runtime import source
from tests.runtime.support import holding


def t(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.zeros(shape, dtype=dtype)


def i(*shape: int) -> Tensor:
    return t(*shape, dtype=torch.int64)


def function(*annotations: Any, returns: Any = None) -> Callable[..., Any]:
    """A checked function of so many parameters; it gives back its last argument."""
    names = [f"x{index}" for index in range(len(annotations))]
    space: dict[str, Any] = {}
    exec(f"def f({', '.join(names)}):\n    return {names[-1]}", space)
    made: Any = space["f"]
    made.__annotations__ = dict(zip(names, annotations, strict=True))
    if returns is not None:
        made.__annotations__["return"] = returns
    checked = shapecheck.checked(made)
    assert source(checked), "nothing is checked"
    return checked  # type: ignore[no-any-return]


class Pair(NamedTuple):
    left: Float[Tensor, "n d"]
    right: Float[Tensor, "n e"]


@dataclass
class Batch:
    image: Float[Tensor, "b c h w"]
    label: Int[Tensor, "b"]
    name: str = ""


F, S = Float, Shaped
TABLE: list[tuple[tuple[Any, ...], list[tuple[Any, ...]], list[tuple[Any, ...]]]] = [
    # annotations, calls that fit, calls that do not
    ((F[Tensor, "b d"],), [(t(2, 3),), (t(0, 1),)], [(t(2),), (t(2, 3, 4),), (i(2, 3),), (3,), (None,), ("x",)]),
    ((F[Tensor, ""],), [(t(),)], [(t(1),)]),
    ((F[Tensor, "n n"],), [(t(2, 2),)], [(t(2, 3),)]),
    ((F[Tensor, "a b"], F[Tensor, "b c"]), [(t(2, 3), t(3, 4))], [(t(2, 3), t(2, 4)), (t(2, 3), t(3))]),
    ((F[Tensor, "4 b"],), [(t(4, 2),)], [(t(3, 2),)]),
    ((F[Tensor, "rows=4 b"],), [(t(4, 2),)], [(t(3, 2),)]),
    ((F[Tensor, "_ b _"], F[Tensor, "b"]), [(t(2, 3, 4), t(3))], [(t(2, 3, 4), t(2))]),
    ((F[Tensor, "... d"], F[Tensor, "d"]), [(t(3), t(3)), (t(1, 2, 3), t(3))], [(t(1, 2, 3), t(2)), (t(), t(3))]),
    ((F[Tensor, "b ... d"], F[Tensor, "d b"]), [(t(2, 9, 3), t(3, 2)), (t(2, 3), t(3, 2))], [(t(2, 9, 3), t(9, 2))]),
    ((F[Tensor, "*n d"], F[Tensor, "*n"]), [(t(3), t()), (t(4, 5, 3), t(4, 5))], [(t(4, 5, 3), t(4)), (t(3), t(3))]),
    ((F[Tensor, "d *n"], F[Tensor, "d *n e"]), [(t(4), t(4, 3))], [(t(4), t(3, 4)), (t(4, 3), t(3, 4))]),
    ((F[Tensor, "#b d"], F[Tensor, "#b d"]), [(t(1, 3), t(2, 3)), (t(2, 3), t(1, 3))], [(t(2, 3), t(4, 3))]),
    ((F[Tensor, "#b"], F[Tensor, "b"], F[Tensor, "b"]), [(t(1), t(2), t(2))], [(t(1), t(2), t(3)), (t(2), t(3), t(3))]),
    ((F[Tensor, "#4"],), [(t(4),), (t(1),)], [(t(3),)]),
    ((F[Tensor, "#b b"],), [(t(1, 3),), (t(3, 3),)], [(t(2, 3),)]),
    ((F[Tensor, "*#b"], F[Tensor, "*#b"]), [(t(5, 6), t(1, 6)), (t(4, 4), t(4))], [(t(3), t(4)), (t(5, 6), t(4))]),
    ((F[Tensor, "*b"], F[Tensor, "*#b"]), [(t(7, 3, 2), t(1, 2))], [(t(3, 4), t(5))]),
    ((F[Tensor, "n"], F[Tensor, "2*n+1"]), [(t(3), t(7))], [(t(3), t(6))]),
    ((F[Tensor, "2*n+1"], F[Tensor, "n"]), [(t(7), t(3))], [(t(6), t(3))]),
    ((F[Tensor, "n+1 n"],), [(t(4, 3),)], [(t(4, 4),)]),
    ((F[Tensor, "n/2 n"],), [(t(2, 4),)], [(t(2, 5),), (t(3, 4),)]),
    ((F[Tensor, "max(a,b)"], F[Tensor, "a b"]), [(t(5), t(2, 5))], [(t(2), t(2, 5))]),
    ((F[Tensor, "#n+1 n"],), [(t(1, 3),), (t(4, 3),)], [(t(3, 3),)]),
    ((F[Tensor, "{x1}"], int), [(t(3), 3)], [(t(3), 4), (t(3), "3")]),
    ((F[Tensor, "{x1}*n n"], int), [(t(6, 2), 3)], [(t(5, 2), 3)]),
    ((F[Tensor, "1{x1}"], int), [(t(12), 2)], [(t(3), 2)]),
    ((Float32[Tensor, "b"],), [(t(2),)], [(t(2, dtype=torch.float64),)]),
    ((S[Tensor, "b"],), [(t(2),), (i(2),)], [(t(2, 2),)]),
    ((F[Tensor, "b"] | None, F[Tensor, "b"]), [(None, t(2)), (t(2), t(2))], [(t(3), t(2)), (1, t(2))]),
    ((Optional[F[Tensor, "b"]], F[Tensor, "b"]), [(None, t(2)), (t(2), t(2))], [(t(3), t(2))]),
    ((F[Tensor, "b d"] | Int[Tensor, "b"], S[Tensor, "b"]),
     [(t(2, 3), t(2)), (i(2), t(2))], [(i(2), t(3)), (t(2), t(2))]),
    ((F[Tensor, "b d"] | F[Tensor, "b"], S[Tensor, "b"]),
     [(t(2, 3), t(2)), (t(2), t(2))], [(t(2), t(3)), (t(2, 2, 2), t(2))]),
    ((F[Tensor, "b 3"] | F[Tensor, "b b"],), [(t(2, 3),), (t(2, 2),)], [(t(2, 4),)]),
    ((Union[F[Tensor, "b"], int],), [(t(2),), (3,)], [("x",), (t(2, 2),)]),
    ((F[Tensor, "b"] | list[F[Tensor, "b"]], F[Tensor, "b"]), [([t(2)], t(2)), (t(2), t(2))], [([t(2), t(3)], t(2))]),
    ((list[F[Tensor, "b d"]],), [([],), ([t(2, 3)] * 3,)], [([t(2, 3), t(2, 4)],), ((t(2, 3),),), ([t(2, 3), 1],)]),
    ((list[F[Tensor, "b"]], F[Tensor, "b"]), [([], t(2)), ([t(2)], t(2))], [([t(3)], t(2))]),
    ((list[F[Tensor, "#b"]], F[Tensor, "b"]),
     [([t(1), t(2), t(1)], t(2))], [([t(2), t(3)], t(2)), ([t(3), t(1)], t(2))]),
    ((tuple[F[Tensor, "b"], F[Tensor, "b"]],), [((t(2), t(2)),)], [((t(2), t(3)),), ((t(2),),), ([t(2), t(2)],)]),
    ((tuple[F[Tensor, "b"], ...],), [((),), ((t(2), t(2)),)], [((t(2), t(3)),)]),
    ((Sequence[F[Tensor, "b"]],), [([t(2)],), ((t(2), t(2)),)], [([t(2), t(3)],), (3,)]),
    ((dict[str, F[Tensor, "b"]],), [({},), ({"a": t(2), "b": t(2)},)], [({"a": t(2), "b": t(3)},), ({1: t(2)},)]),
    ((Mapping[str, list[F[Tensor, "b"]]],), [({"a": [t(2)], "b": [t(2)]},)], [({"a": [t(2)], "b": [t(3)]},)]),
    ((list[tuple[F[Tensor, "b"], int]],), [([(t(2), 1)],)], [([(t(2), "x")],), ([(t(2), 1), (t(3), 1)],)]),
    ((Pair, F[Tensor, "d e"]), [(Pair(t(2, 3), t(2, 4)), t(3, 4))],
     [(Pair(t(2, 3), t(3, 4)), t(3, 4)), (Pair(t(2, 3), t(2, 4)), t(4, 3)), ((t(2, 3), t(2, 4)), t(3, 4))]),
    ((Batch, Int[Tensor, "b"]), [(Batch(t(2, 1, 4, 4), i(2)), i(2))],
     [(Batch(t(2, 1, 4, 4), i(2)), i(3)), (Batch(t(2, 1, 4, 4), i(3)), i(2))]),
    ((Pair, Pair), [(Pair(t(2, 3), t(2, 4)), Pair(t(5, 6), t(5, 7)))],
     [(Pair(t(2, 3), t(2, 4)), Pair(t(5, 6), t(6, 7)))]),
    ((list[Pair],), [([Pair(t(2, 3), t(2, 4)), Pair(t(5, 6), t(5, 7))],)], [([Pair(t(2, 3), t(3, 4))],)]),
    ((F[Tensor, "b"], int, str), [(t(2), 1, "x")], [(t(2), "x", "x"), (t(2), 1, 1)]),
    ((F[Tensor, "b"], float), [(t(2), 1.0), (t(2), 1)], [(t(2), "1")]),
    ((F[Tensor, "b"], typing.List), [(t(2), [1, "x"])], [(t(2), (1,))]),
    ((F[Tensor, "b"], typing.Tuple), [(t(2), (1, "x")), (t(2), ())], [(t(2), [1])]),
    ((F[Tensor, "b"], tuple[()]), [(t(2), ())], [(t(2), (1,))]),
    ((F[Tensor, "b"], typing.Dict[str, int]), [(t(2), {}), (t(2), {"a": 1})], [(t(2), {1: 1}), (t(2), [])]),
    ((F[Tensor, "b"], list[int] | list[str] | None), [(t(2), [1]), (t(2), None)], [(t(2), 1)]),
    ((F[Tensor, "b"], type[int] | int), [(t(2), int), (t(2), 3)], [(t(2), "x")]),
    ((F[Tensor, "b"], Callable), [(t(2), len)], [(t(2), 3)]),
    ((F[Tensor, "b"], typing.NewType("N", int)), [(t(2), 3)], [(t(2), "x")]),
    ((F[Tensor, "b"], typing.Literal[1, "a"]), [(t(2), 1), (t(2), "a")], [(t(2), 2)]),
    ((F[Tensor, "b"], typing.SupportsInt), [(t(2), 1)], [(t(2), "x")]),
    ((F[Tensor, "b"], list[int]), [(t(2), [1, 2])], [(t(2), ["x"]), (t(2), 3)]),
    ((Tensor, Tensor | None), [(t(2), None), (t(2), i(3))], [(1, None), (t(2), 1)]),
    ((Annotated[F[Tensor, "b d"], "a note"],), [(t(2, 3),)], [(t(2),)]),
]  # fmt: skip


# A hole is pasted as text: this is the number 12 where x1 is 2.
NOT_COMPILED = [(F[Tensor, "1{x1}"], int)]


def without_explanations(f: Any) -> Any:
    """The function, which fails if its generated code does not tell by itself that a value fits."""

    def fail(*_: Any) -> None:
        raise AssertionError("the slow path was asked")

    return holding(f, explain_arguments=fail, explain_result=fail)


@pytest.mark.parametrize(("annotations", "good", "bad"), TABLE, ids=[f"{at}" for at in range(len(TABLE))])
def test_a_call_is_taken_or_refused(
    annotations: tuple[Any, ...], good: list[tuple[Any, ...]], bad: list[tuple[Any, ...]]
) -> None:
    f = function(*annotations)
    for arguments in good:
        assert f(*arguments) is arguments[-1]
    if str(annotations) not in map(str, NOT_COMPILED):
        compiled = without_explanations(f)
        for arguments in good:
            assert compiled(*arguments) is arguments[-1]
    for arguments in bad:
        with pytest.raises(shapecheck.ShapeError):
            f(*arguments)


@pytest.mark.parametrize(("annotations", "good", "bad"), TABLE, ids=[f"{at}" for at in range(len(TABLE))])
def test_the_result_is_taken_or_refused(
    annotations: tuple[Any, ...], good: list[tuple[Any, ...]], bad: list[tuple[Any, ...]]
) -> None:
    if "{x1}" in str(annotations):
        pytest.skip("it reads an argument")
    f = function(Any, returns=tuple[annotations])
    for values in good:
        assert f(values) is values
    for values in bad:
        with pytest.raises(shapecheck.ShapeError, match=r"f\(return"):
            f(values)


def test_a_name_that_nothing_binds_is_an_error_of_the_annotation() -> None:
    with pytest.raises(shapecheck.spec.AnnotationError, match="uses n, which no axis to its left"):
        function(F[Tensor, "2*n"])(t(4))
