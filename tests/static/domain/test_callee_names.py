"""The last name of an expression, of what it calls, and of an operator."""

from __future__ import annotations

import ast

import pytest

from shapecheck.ops import infer
from shapecheck.static.domain.callee_names import last_name, name_of_callee, short_name


@pytest.mark.parametrize(
    ("source", "last", "callee"),
    [("f", "f", "f"), ("a.b.f", "f", "f"), ("a.f(1)", "", "f"), ("f(1)(2)", "", ""), ("f[0]", "", ""), ("1", "", "")],
)
def test_names_of_expressions(source: str, last: str, callee: str) -> None:
    node = ast.parse(source, mode="eval").body
    assert (last_name(node), name_of_callee(node)) == (last, callee)


def test_names_of_operators() -> None:
    assert [short_name(one) for one in ("torch.cat", "+", "torch.nn.Linear")] == ["cat", "+", "Linear"]
    assert short_name(infer("nn.Linear", 2, 3)) == "Linear()"
