"""Nodes below a node of a syntax tree, several times as fast as `ast.walk` and `ast.iter_child_nodes`.

Those test every field of every node. Here the fields that hold no nodes are known by type, and contexts (`ast.Load`,
`ast.Store`, `ast.Del`) are left out, which are a third of all nodes and are read from `ctx`.
"""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PLAIN = frozenset(
    "arg asname attr ctx conversion id is_async kind kwd_attrs level lineno module rest simple tag type_comment".split()
)
"""Fields that hold no nodes, in every type that has them, except contexts."""
_PLAIN_OF: dict[type[ast.AST], frozenset[str]] = {
    ast.Constant: frozenset(("value",)),
    ast.MatchSingleton: frozenset(("value",)),
    ast.Global: frozenset(("names",)),
    ast.Nonlocal: frozenset(("names",)),
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), frozenset(("name",))),
    **dict.fromkeys((ast.alias, ast.ExceptHandler, ast.MatchAs, ast.MatchStar), frozenset(("name",))),
}
_WITH_GAPS = frozenset(("keys", "kw_defaults"))
"""Fields with lists that contain None for what is absent."""
_fields: dict[type[ast.AST], tuple[str, ...]] = {}


def children_of(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, in the order of `ast.iter_child_nodes`."""
    found: list[ast.AST] = []
    kind = type(node)
    for name in _fields[kind] if kind in _fields else _fields_of(kind):
        value = getattr(node, name, None)
        if type(value) is list:
            found += value if name not in _WITH_GAPS else filter(None, value)
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all nodes below it, in the order of `ast.walk`."""
    return [node, *(_below_definition(node) if isinstance(node, _DEFINITIONS) else _below(node))]


@cached_on_node
def _below_definition(node: _Definition) -> tuple[ast.AST, ...]:
    """The nodes below a definition: many facts about it are read from them."""
    return tuple(_below(node))


def _below(node: ast.AST) -> list[ast.AST]:
    found = children_of(node)
    for one in found:  # grows while it is read
        kind = type(one)
        for name in _fields[kind] if kind in _fields else _fields_of(kind):
            value = getattr(one, name, None)
            if type(value) is list:
                found += value if name not in _WITH_GAPS else filter(None, value)
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    plain = _PLAIN | _PLAIN_OF.get(kind, frozenset())
    found = _fields[kind] = tuple(name for name in kind._fields if name not in plain)
    return found
