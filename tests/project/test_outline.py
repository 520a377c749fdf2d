"""Method bodies are passed over, and nothing else: what is left is the outline of the classes."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from shapecheck.project.outline import blank_method_bodies

OUTLINE = """
from torch import nn


def decorate(f):
    def inner(*args, **kwargs):
        return f(*args, **kwargs)

    return inner


class Net(nn.Module):
    width = 3

    @decorate
    def forward(
        self,
        x: Tensor,  # a comment: with a colon
    ) -> Tensor:
        y = [1]
        return x

    def one_line(self): return 1

    async def later(self) -> int:
        # a comment

        return 1

    if TYPE_CHECKING:

        def __call__(self, x: Tensor) -> Tensor: ...

    class Inner:
        def method(self):
            pass

        value = 1


top = 1
"""


def outline(text: str) -> list[tuple[int, str]]:
    tree = ast.parse(text)
    return [
        (node.lineno, type(node).__name__ + getattr(node, "name", ""))
        for node in ast.walk(tree)
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom))
    ]


def test_the_outline_stays_on_its_lines() -> None:
    assert outline(blank_method_bodies(OUTLINE)) == outline(OUTLINE)


def test_method_bodies_go_and_functions_stay() -> None:
    skimmed = blank_method_bodies(OUTLINE)
    assert "return f(*args, **kwargs)" in skimmed
    assert "return x" not in skimmed
    assert "pass" not in skimmed
    assert "value = 1" in skimmed
    assert len(skimmed.split("\n")) == len(OUTLINE.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        'class A:\n    """\n    def f(self):\n        in a docstring\n    """\n    def f(self): ...\n',
        "class A:\n    def f(self, g=lambda x:\n            x):\n        return 1\n    b = 2\n",
        "class A:\r\n    def f(self):\r\n        return 1\r\n    b = 2\r\n",
        "class A:\n\tdef f(self):\n\t\treturn 1\n\tb = 2\n",
        "class A:\n    def f(self):\n        return 1",
        "class A:\n    def f(self):\n        y = [\n    1]\n        return y\n",
    ],
)
def test_odd_text_gives_the_outline_or_does_not_parse(text: str) -> None:
    try:
        ast.parse(blank_method_bodies(dedent(text)))
    except SyntaxError:
        return
    assert outline(blank_method_bodies(text)) == outline(text)
