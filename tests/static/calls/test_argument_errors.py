"""Calls of the project's own functions with wrong arguments."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.static import check
from shapecheck.static.calls.argument_errors import refusal
from tests.amount import examples

HEAD = """\
from functools import wraps
from typing import overload
import library
import pytest
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self, width, *, bias=True):
        super().__init__()
        self.fc = nn.Linear(8, width, bias=bias)

    def forward(self, x):
        return self.fc(x)

def scale(x, by, *, shift): return x * by + shift
def pair(): return x, x
def pad(x, by=1): return x

x = torch.randn(4, 8)
"""


def found(folder: Path, source: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + source)
    return [f"{one.message} [{one.code}]" for one in check([path])]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("Head(4)(x, 0.5)", "Head.forward() takes 1 positional argument but 2 were given"),
        ("Head(4)()", 'Head.forward() missing 1 required positional argument: "x"'),
        ("Head()", 'Head() missing 1 required positional argument: "width"'),
        ("Head(4, wdth=3)", 'Head() got an unexpected keyword argument "wdth"; did you mean width?'),
        ("Head(4, width=3)", 'Head() got multiple values for argument "width"'),
        ("Head(4, True)", "Head() takes 1 positional argument but 2 were given"),
        ("scale(x, 2)", 'scale() missing 1 required keyword-only argument: "shift"'),
        ("scale(x, shift=2)", 'scale() missing 1 required positional argument: "by"'),
        ("scale()", 'scale() missing 2 required positional arguments: "x" and "by"'),
        ("pair(x)", "pair() takes 0 positional arguments but 1 was given"),
        ("pad(x, 2, 3)", "pad() takes from 1 to 2 positional arguments but 3 were given"),
        ("scale(x, 2, 3)", "scale() takes 2 positional arguments but 3 were given"),
        (
            "def step():\n    return Head(4)(x, 0.5)\nstep()",
            "Head.forward() takes 1 positional argument but 2 were given",
        ),
        ("for _ in range(3):\n    scale(x)", 'scale() missing 1 required positional argument: "by"'),
        (
            "options = {'wdth': 3}\nHead(4, **options)",
            'Head() got an unexpected keyword argument "wdth"; did you mean width?',
        ),
    ],
)
def test_a_call_that_always_fails_is_reported(tmp_path: Path, source: str, message: str) -> None:
    assert found(tmp_path, source) == [f"{message} [wrong-call]"]


def test_a_note_names_the_definition(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + "Head(4)(x, 0.5)")
    [finding] = check([path])
    assert [(note.line, note.message) for note in finding.notes] == [(13, "forward is defined here")]


@pytest.mark.parametrize(
    "source",
    [
        "Head(4)(x)",
        "Head(width=4, bias=False)(x=x)",
        "Head(*library.sizes())",
        "Head(4, **library.options())",
        "if library.flag():\n    Head()",
        "def step(flag):\n    if flag:\n        return None\n    return Head()",
        "with pytest.raises(TypeError):\n    Head()",
        "try:\n    Head()\nexcept TypeError:\n    pass",
        "@library.fills\ndef cut(x, mask): return x * mask\ncut(x)",
        "@overload\ndef cut(x): ...\n@overload\ndef cut(x, mask): ...\ndef cut(x, mask=None): return x\ncut(x, 1, 2)",
        "class Base:\n    def mix(self, x): raise NotImplementedError\n    def run(self, x): return self.mix(x, 1)",
        "class Base:\n    def mix(self, x): ...\n    def run(self, x): return self.mix(x, 1)",
        "Head.forward = library.forward\nHead(4)(x, 0.5)",
    ],
)
def test_a_call_that_may_succeed_is_not(tmp_path: Path, source: str) -> None:
    assert found(tmp_path, source) == []


SIGNATURES = (
    "def f(): 0",
    "def f(a): 0",
    "def f(a, b=0): 0",
    "def f(a, /, b): 0",
    "def f(a, /, b, *, c): 0",
    "def f(a, *rest): 0",
    "def f(a, *, c, d=0): 0",
    "def f(a, **more): 0",
    "def f(a, /, **more): 0",
    "def f(*rest, c): 0",
)


@settings(max_examples=examples(500))
@given(st.sampled_from(SIGNATURES), st.integers(0, 3), st.sets(st.sampled_from("abcd")))
def test_exactly_the_calls_that_python_refuses_are_refused(signature: str, count: int, names: set[str]) -> None:
    node = ast.parse(signature).body[0]
    assert isinstance(node, ast.FunctionDef)
    made: dict[str, Any] = {}
    exec(signature, made)
    try:
        made["f"](*range(count), **dict.fromkeys(names, 0))
        refused = False
    except TypeError:
        refused = True
    assert bool(refusal(node.args, 0, count, dict.fromkeys(names, 0))) == refused
