"""Attributes that methods assign to `self`: a stub must declare them, or `Module.__getattr__` answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.stubs.results import Function, StubScope, type_in


def attributes(cls: ast.ClassDef, scope: StubScope) -> Iterator[tuple[str, str]]:
    """Name and type of each attribute that methods declare or set, and the class body does not."""
    seen = {name for statement in cls.body for name in names_of(statement)}
    methods = [node for node in cls.body if isinstance(node, ast.FunctionDef)]
    for method in methods:
        for node in ast.walk(method):
            match node:
                case ast.AnnAssign(target=ast.Attribute(ast.Name("self"), name), annotation=annotation):
                    if name not in seen:
                        seen.add(name)
                        yield name, ast.unparse(annotation)
    for method in sorted(methods, key=lambda method: method.name != "__init__"):
        for name, values in _set_in(method).items():
            if name not in seen:
                seen.add(name)
                yield name, _union(method, values, scope)


def _set_in(method: Function) -> dict[str, list[ast.expr]]:
    """The values assigned to each attribute of `self`."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(method):
        match node:
            case ast.Assign(targets=[ast.Attribute(ast.Name("self"), name)], value=value):
                found.setdefault(name, []).append(value)
    return found


def _union(method: Function, values: list[ast.expr], scope: StubScope) -> str:
    kinds = dict.fromkeys(type_in(method, value, scope) or "Any" for value in values)
    return "Any" if "Any" in kinds else " | ".join(kinds)


def names_of(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module or class body defines."""
    match statement:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.AnnAssign(target=ast.Name(name)):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
    return []
