"""Which functions belong to a forward, whether or not they were run: from the source alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.class_facts import base_layer, is_module
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.session import Session
from shapecheck.static.observing.observer import Function

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def forward_classes(session: Session, loaded: SourceModule) -> dict[ast.ClassDef, ast.FunctionDef]:
    """The classes in a file that may be modules, with the forwards that they define."""
    names = session.modules[loaded].fields.values() if loaded in session.modules else ()
    values = {value.node: value for value in names if isinstance(value, ClassValue)}
    found = {}
    for node in walk(loaded.tree):
        if isinstance(node, ast.ClassDef) and node.bases and not _is_known_not_module(values.get(node)):
            forward = _methods(node).get("forward")
            if isinstance(forward, ast.FunctionDef) and forward.args.args[:1] and forward.args.args[0].arg == "self":
                found[node] = forward
    return found


def _is_known_not_module(cls: ClassValue | None) -> bool:
    """Whether all bases of a class are known, and none is a module."""
    if cls is None or is_module(cls) or base_layer(cls) is not None:
        return False
    return all(name.startswith(("builtins.", "abc.", "typing.", "torch.autograd.")) for name in cls.outside())


def reached(loaded: SourceModule, cls: ast.ClassDef, forward: ast.FunctionDef) -> set[Function]:
    """A forward, and the methods of its class and functions of its file that it calls, to any depth."""
    methods = _methods(cls)
    functions = {node.name: node for node in loaded.tree.body if isinstance(node, _FUNCTIONS)}
    found: set[Function] = set()
    pending: list[Function] = [forward]
    while pending:
        one = pending.pop()
        if one not in found:
            found.add(one)
            pending += _called_in(one, methods, functions)
    return found


def _called_in(node: Function, methods: dict[str, Function], functions: dict[str, Function]) -> Iterator[Function]:
    for one in walk(node):
        if not isinstance(one, ast.Call):
            continue
        target = one.func
        if isinstance(target, ast.Name) and target.id in functions:
            yield functions[target.id]
        elif isinstance(target, ast.Attribute) and target.attr in methods and ast.unparse(target.value) == "self":
            yield methods[target.attr]


def _methods(cls: ast.ClassDef) -> dict[str, Function]:
    return {node.name: node for node in cls.body if isinstance(node, _FUNCTIONS)}
