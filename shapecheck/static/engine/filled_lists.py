"""Lists that are empty as far as the analysis ran, although other code of the file fills them: hooks and callbacks."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import children_of
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.run import Run

_FILLING = frozenset("append appendleft extend extendleft insert".split())
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def may_be_filled(run: Run, node: ast.AST, value: Value) -> bool:
    """Whether a function that has not run yet adds items to a variable or attribute of this name, an empty list."""
    return _is_empty(value) and any(one not in run.called for one in _filling(run.loaded.tree).get(last_name(node), ()))


def has_filled_list(run: Run, written: ast.AST, value: Value) -> bool:
    """Whether an index is an empty list, or has one as a part, to whose name the file adds items."""
    parts = written.elts if isinstance(written, ast.Tuple) else [written]
    values = value if type(value) is tuple else (value,)
    if len(parts) != len(values) or not any(map(_is_empty, values)):
        return False
    filling = _filling(run.loaded.tree)
    return any(_is_empty(one) and filling.get(last_name(part)) for part, one in zip(parts, values, strict=True))


def _is_empty(value: Value) -> bool:
    return isinstance(value, ListValue) and not value.items and not value.lost


@cached_on_node
def _filling(tree: ast.Module) -> Mapping[str, set[ast.AST]]:
    """The functions that add items to a list, by its name."""
    found: defaultdict[str, set[ast.AST]] = defaultdict(set)
    for name, function in _added(tree, tree):
        found[name].add(function)
    found.pop("", None)
    return dict(found)


def _added(node: ast.AST, function: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FILLING:
        yield last_name(node.func.value), function
    elif isinstance(node, ast.AugAssign):
        yield last_name(node.target), function
    for child in children_of(node):
        yield from _added(child, child if isinstance(child, _FUNCTIONS) else function)
