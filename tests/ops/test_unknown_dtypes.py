"""Every rule with a dtype among its parameters: what it accepts with float32, it accepts with an unknown dtype."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.ops.families import load
from shapecheck.ops.registry import TABLE
from shapecheck.ops.unknown import Unknown

X = TensorSpec((2, 3), "float32")
SQUARE = TensorSpec((3, 3), "float32")
INDEX = TensorSpec((2, 3), "int64")
ARGUMENTS: list[tuple[Any, ...]] = [
    *((X,), (X, 0), (X, (0,)), (X, (2, 3)), (X, 2, 0), (X, 0.1, 0), (X, X), (X, X, X), (X, 0, X)),
    *((SQUARE, SQUARE), (SQUARE, SQUARE, SQUARE), (INDEX, INDEX), (INDEX, INDEX, (3, 3))),
    *((2,), ((2, 3),), ((2, 3), 1.0), ((2, 3), (3, 1)), (0, 4), (0, 4, 5), (0.0, 1.0, (2, 3)), ([1.0, 2.0],)),
]
load()
CASES = [(name, one) for name, entry in TABLE.items() for one in entry.signature.parameters if "dtype" in one]


@pytest.mark.parametrize(("name", "parameter"), CASES, ids=[f"{name}({one})" for name, one in CASES])
def test_an_unknown_dtype_is_accepted_where_float32_is(name: str, parameter: str) -> None:
    for args in ARGUMENTS:
        if is_answered(name, args, parameter):
            infer(name, *args, **{parameter: Unknown("a dtype")})


def test_most_rules_answer_some_of_the_arguments() -> None:
    answered = [case for case in CASES if any(is_answered(case[0], args, case[1]) for args in ARGUMENTS)]
    assert len(answered) > 0.8 * len(CASES)


def is_answered(name: str, args: tuple[Any, ...], parameter: str) -> bool:
    try:
        return not isinstance(infer(name, *args, **{parameter: "float32"}), Unknown)
    except ShapeError:
        return False
