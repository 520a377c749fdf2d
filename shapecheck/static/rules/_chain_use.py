"""Whether the layers of an nn.Sequential may be called one by one, with other code between them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.run import Run

_READING = frozenset("enumerate zip reversed list tuple iter next len getattr".split())
_PARTS = frozenset("children named_children modules named_modules _modules items values keys pop insert".split())


def may_be_used_apart(run: Run, node: ast.expr) -> bool:
    """Whether the file iterates over something of the name to which the container is assigned, or reads its items."""
    tree = run.loaded.tree
    names = _assigned(tree).get(node, ())
    return any(name in _taken_apart(tree) for name in names)


@cached_on_node
def _assigned(tree: ast.Module) -> dict[ast.expr, frozenset[str]]:
    """The names to which expressions are assigned, for the calls anywhere in the assigned value.

    What a function returns has the names to which its calls are assigned.
    """
    found: dict[ast.expr, frozenset[str]] = {}
    of_functions: dict[str, set[str]] = {}
    for one in walk(tree):
        if isinstance(one, (ast.Assign, ast.AnnAssign)) and one.value is not None:
            names = frozenset(_target_names(one))
            for call in _calls(one.value):
                found[call] = names
                of_functions.setdefault(_name(call.func), set()).update(names)
    for one in walk(tree):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name in of_functions:
            found |= _returned(one, found, frozenset(of_functions[one.name]))
    return found


def _target_names(statement: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    for target in targets:
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        yield from (name for part in parts if (name := _name(part)))


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in walk(node) if isinstance(part, ast.Call))


def _returned(
    function: ast.FunctionDef | ast.AsyncFunctionDef, assigned: Mapping[ast.expr, frozenset[str]], names: frozenset[str]
) -> dict[ast.expr, frozenset[str]]:
    """The calls whose results a function returns, or assigns to a name that it returns, with `names` added."""
    values = [one.value for one in walk(function) if isinstance(one, ast.Return) and one.value is not None]
    local = {part.id for value in values for part in walk(value) if isinstance(part, ast.Name)}
    calls = [call for value in values for call in _calls(value)]
    calls += [call for call in _calls(function) if not local.isdisjoint(assigned.get(call, ()))]
    return {call: assigned.get(call, frozenset()) | names for call in calls}


@cached_on_node
def _taken_apart(tree: ast.Module) -> frozenset[str]:
    """The last names of what the file iterates over, subscripts, or passes to functions that do."""
    return frozenset(name for one in walk(tree) for part in _parts_read(one) if (name := _name(part)))


def _parts_read(node: ast.AST) -> tuple[ast.expr, ...]:
    """What a node iterates over, or reads an item of."""
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        return (node.iter,)
    if isinstance(node, (ast.Subscript, ast.Starred)):
        return (node.value,)
    if isinstance(node, ast.Attribute) and node.attr in _PARTS:
        return (node.value,)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _READING:
        return tuple(node.args)
    return ()


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
