"""What is cached about a node belongs to that node alone, and goes with it."""

from __future__ import annotations

import ast
import copy
import gc
import re
from pathlib import Path
from weakref import ref

import shapecheck
from shapecheck.project.node_cache import cached_on_node

_CALLS: list[ast.AST] = []


@cached_on_node
def _names(node: ast.AST) -> frozenset[str]:
    _CALLS.append(node)
    return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


@cached_on_node
def _first_child(node: ast.AST) -> ast.AST:
    return next(ast.iter_child_nodes(node))


def _node() -> ast.AST:
    _CALLS.clear()
    return ast.parse("a + b", mode="eval").body


def test_a_result_is_found_once() -> None:
    node = _node()
    assert _names(node) == _names(node) == {"a", "b"}
    assert [node] == _CALLS


def test_an_equal_node_has_a_result_of_its_own() -> None:
    node, other = _node(), _node()
    _names(node)
    _names(other)
    assert [node, other] == _CALLS


def test_two_functions_do_not_share_results() -> None:
    node = _node()
    assert _names(node) == {"a", "b"}
    assert isinstance(_first_child(node), ast.Name)


def test_a_result_of_none_is_kept() -> None:
    calls = []

    @cached_on_node
    def nothing(node: ast.AST) -> None:
        calls.append(node)

    node = _node()
    nothing(node)
    nothing(node)
    assert calls == [node]


def test_a_changed_copy_is_looked_at_again() -> None:
    node = _node()
    _names(node)
    for copied in (copy.copy(node), copy.deepcopy(node), copy.copy(copy.copy(node))):
        assert isinstance(copied, ast.BinOp)
        copied.left = ast.Name("c", ast.Load())
        assert _names(copied) == {"b", "c"}
    assert _names(node) == {"a", "b"}


def test_a_copy_of_a_copy_is_looked_at_again_when_the_original_is_gone() -> None:
    node = _node()
    _names(node)
    copied = copy.copy(node)
    del node
    _CALLS.clear()
    again = copy.copy(copied)
    assert isinstance(again, ast.BinOp)
    again.left = ast.Constant(1)
    assert _names(again) == {"b"}


def test_a_node_goes_without_the_garbage_collector_even_if_a_result_holds_a_part_of_it() -> None:
    node = _node()
    _CALLS.clear()
    assert _first_child(node)
    gone = ref(node)
    gc.disable()
    try:
        del node
        assert gone() is None
    finally:
        gc.enable()


def test_the_tree_reads_as_before() -> None:
    node = _node()
    before = ast.dump(node, include_attributes=True), ast.unparse(node)
    _names(node)
    assert (ast.dump(node, include_attributes=True), ast.unparse(node)) == before


def test_no_other_cache_is_keyed_by_nodes() -> None:
    cached = re.compile(
        r"^@(?:functools\.)?(?:lru_cache|cache)\b.*\n(?:@.*\n)*def \w+\((?:[^)]*\bast\.|node\b)", re.MULTILINE
    )
    files = sorted(Path(shapecheck.__file__).parent.rglob("*.py"))
    assert cached.search("@lru_cache(maxsize=8)\ndef f(node: ast.AST) -> int:\n")
    assert cached.search("@cache\ndef _f(spec: ast.arguments) -> int:\n")
    assert [file.name for file in files if cached.search(file.read_text())] == []
