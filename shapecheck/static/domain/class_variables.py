"""Class variables that functions set, such as `Attention.is_fused = False`: when they run is not known."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import children_of
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.objects import ClassValue

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def class_variable_set_elsewhere(cls: ClassValue, name: str, running: ast.AST | None) -> Value:
    """The value of a class variable that a function of its file sets, except the running one; else None.

    It has the value that the body of the class assigns: what code has set in this run is known. A flag has both values.
    """
    holder = cls.holder(name)
    if not isinstance(holder, ClassValue) or not _is_initial(holder, name):
        return None
    setters = _setters(holder.closure.loaded.tree).get(f"{holder.node.name}.{name}", ())
    if not setters or running in setters:
        return None
    is_flag = type(holder.fields[name]) is bool
    return Alternatives((True, False)) if is_flag else Unknown(f"a class variable that functions set: {name}")


def _is_initial(holder: ClassValue, name: str) -> bool:
    constants = _constants(holder.node)
    value = holder.fields[name]
    return name in constants and type(value) is type(constants[name]) and value == constants[name]


@cached_on_node
def _constants(node: ast.ClassDef) -> dict[str, object]:
    """The class variables that the body of a class sets to a constant."""
    found: dict[str, object] = {}
    for one in node.body:
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
        value = one.value if isinstance(one, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(value, ast.Constant):
            found.update((target.id, value.value) for target in targets if isinstance(target, ast.Name))
    return found


@cached_on_node
def _setters(tree: ast.AST) -> dict[str, list[ast.AST]]:
    """The functions that set each class variable, which is written with the name of its class."""
    found: dict[str, list[ast.AST]] = {}
    for name, function in _set(tree, "", None):
        found.setdefault(name, []).append(function)
    return found


def _set(node: ast.AST, cls: str, function: ast.AST | None) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.ClassDef):
        cls = node.name
    elif isinstance(node, _FUNCTIONS):
        function = node
    elif function is not None and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        owner = ast.unparse(node.value)
        yield f"{cls if owner == 'cls' else owner}.{node.attr}", function
    for child in children_of(node):
        yield from _set(child, cls, function)
