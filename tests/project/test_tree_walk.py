"""The nodes below a node are those of `ast.walk` and `ast.iter_child_nodes`, without contexts."""

from __future__ import annotations

import ast
from copy import copy
from pathlib import Path

import pytest

from shapecheck.project.tree_walk import children_of, walk

EVERY_KIND = """
import a.b as c, d
from .e import f
match x:
    case {"a": 1, **rest}: pass
    case [1, *others] as whole: pass
    case None | -1: pass
    case C(1, k=2) | D(): pass
@decorated
def g(a, /, b: int = 1, *c, d, e=2, **h) -> int:
    global q
    return {**a, 1: 2}
class C(B, metaclass=M):
    x: int = 1
try: pass
except E as e: raise
finally: del x.y, z[1:2, ::3]
async def h():
    nonlocal_ = [one async for one in two if three]
    async with x as y, z: yield 1
    async for i in z: await i
    return f"{a!r:{b}}", lambda *, k=1: (yield), not (m := 1), a if b else c, *d
while a < b <= c and d: x += 1
"""
SOURCES = [EVERY_KIND, *(one.read_text() for one in sorted(Path(__file__).parent.glob("*.py")))]


def without_contexts(nodes: object) -> list[ast.AST]:
    return [one for one in nodes if not isinstance(one, ast.expr_context)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("source", SOURCES)
def test_the_nodes_and_their_order_are_those_of_ast(source: str) -> None:
    tree = ast.parse(source)
    for _ in range(2):  # the second time from what definitions keep
        for one in without_contexts(ast.walk(tree)):
            assert walk(one) == without_contexts(ast.walk(one))
            assert children_of(one) == without_contexts(ast.iter_child_nodes(one))


def test_a_changed_copy_of_a_definition_has_nodes_of_its_own() -> None:
    function = ast.parse("def f():\n    x = 1\n    return x\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    walk(function)
    other = copy(function)
    other.body = function.body[:1]
    assert walk(other) == without_contexts(ast.walk(other))
