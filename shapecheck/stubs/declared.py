"""Attributes declared inside methods (`self.hook: Callable = hook`): a stub must say them in the class body."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def attributes(cls: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Name and annotation of each attribute annotated on `self` in a method and not in the class body."""
    seen = {name for statement in cls.body for name in names_of(statement)}
    for method in cls.body:
        if not isinstance(method, ast.FunctionDef):
            continue
        for node in ast.walk(method):
            match node:
                case ast.AnnAssign(target=ast.Attribute(ast.Name("self"), name), annotation=annotation):
                    if name not in seen:
                        seen.add(name)
                        yield name, annotation


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
