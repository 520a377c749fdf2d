"""Turns the source of a file of torch into the text of its stub: every name and annotation kept, no body."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from shapecheck.stubs import call
from shapecheck.stubs.declared import attributes, names_of
from shapecheck.stubs.results import Function, StubScope, result_of

_INDENT = "    "
_PLAIN_STRING = re.compile(r"'([^'\"\\]*)'")


def skeleton(source: str) -> str:
    """The stub for module.py; raises ValueError if the source does not define `Module` with a `forward`."""
    tree = ast.parse(source)
    module = next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Module"), None)
    if module is None or "forward" not in {name for one in _for_checkers(module.body) for name in names_of(one)}:
        raise ValueError("it defines no class Module with a forward")
    return stub_text(tree, f"{call.IMPORTS}\n\n{call.PROTOCOLS}")


def stub_text(tree: ast.Module, head: str) -> str:
    """The stub of a file, with `head` behind its imports."""
    scope = _scope(tree)
    imports = [line for node in tree.body for line in _import(node)]
    rest = [line for node in tree.body for line in _statement(node, scope)]
    return "\n".join([*imports, head, *rest]) + "\n"


def _scope(tree: ast.Module) -> StubScope:
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            classes |= {alias.asname or alias.name for alias in node.names if alias.name[:1].isupper()}
    variables = {}
    for node in tree.body:
        match node:
            case ast.AnnAssign(target=ast.Name(name), annotation=annotation):
                variables[name] = _text(annotation)
    return StubScope(frozenset(classes), variables)


def _import(node: ast.stmt) -> Iterator[str]:
    """The import with its names re-exported (`as`): who imports them from here still finds them."""
    match node:
        case ast.ImportFrom(module, names, level) if module != "__future__":
            names_text = ", ".join(f"{alias.name} as {alias.asname or alias.name}" for alias in names)
            yield f"from {'.' * level}{module or ''} import {names_text}"
        case ast.Import(names):
            for alias in names:
                name = alias.asname or alias.name
                yield f"import {alias.name}" + ("" if "." in name else f" as {name}")


def _statement(node: ast.stmt, scope: StubScope) -> Iterator[str]:
    """The stub lines of one statement of a module or class body."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _function(node, scope)
        case ast.ClassDef():
            yield from _class(node, scope)
        case ast.AnnAssign(target=ast.Name(name), annotation=annotation, value=value):
            yield f"{name}: {_text(annotation)}" + (" = ..." if value is not None else "")
        case ast.Assign():
            yield _text(node)
        case ast.If():
            # A guard on the Python version or on TYPE_CHECKING is for the checker to decide.
            yield from _guarded(node, scope)


def _guarded(node: ast.If, scope: StubScope) -> Iterator[str]:
    yield f"if {_text(node.test)}:"
    for head, body in (("", node.body), ("else:", node.orelse)):
        if head and body:
            yield head
        lines = [line for child in body for line in [*_import(child), *_statement(child, scope)]]
        if body:
            yield from (_INDENT + line for line in lines or ["pass"])


def _class(cls: ast.ClassDef, scope: StubScope) -> Iterator[str]:
    body = _for_checkers(cls.body)
    cls = ast.ClassDef(cls.name, cls.bases, cls.keywords, body, cls.decorator_list)
    methods = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    inner = replace(scope, methods=methods)
    arguments = ", ".join(_text(argument) for argument in [*cls.bases, *cls.keywords])
    yield ""
    yield from (f"@{_text(decorator)}" for decorator in cls.decorator_list)
    yield f"class {cls.name}({arguments}):" if arguments else f"class {cls.name}:"
    yield from (_INDENT + line for line in _body(cls, inner))
    yield ""


def _for_checkers(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a class that type checkers read: of `if TYPE_CHECKING`, those below it."""
    return [inner for node in body for inner in (node.body if _is_for_checkers(node) else [node])]


def _is_for_checkers(node: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and _text(node.test).rpartition(".")[2] == "TYPE_CHECKING"


def _body(cls: ast.ClassDef, scope: StubScope) -> Iterator[str]:
    lines = [f"{name}: {kind}" for name, kind in attributes(cls, scope)]
    overloaded = {node.name for node in cls.body if isinstance(node, ast.FunctionDef) and _is_overload(node)}
    for node in cls.body:
        if cls.name == "Module" and "__call__" in names_of(node):
            lines.append(call.ATTRIBUTE)
        elif not (isinstance(node, ast.FunctionDef) and node.name in overloaded and not _is_overload(node)):
            lines += _statement(node, scope)
    if cls.name == "Module" and call.ATTRIBUTE not in lines:
        lines.append(call.ATTRIBUTE)
    yield from lines or ["pass"]


def _is_overload(function: Function) -> bool:
    return any(_text(decorator).rpartition(".")[2] == "overload" for decorator in function.decorator_list)


def _function(function: Function, scope: StubScope) -> Iterator[str]:
    yield from (f"@{_text(decorator)}" for decorator in function.decorator_list)
    result = result_of(function, scope)
    arrow = f" -> {result}" if result is not None else ""
    keyword = "async def" if isinstance(function, ast.AsyncFunctionDef) else "def"
    yield f"{keyword} {function.name}({_text(function.args)}){arrow}: ..."


def _text(node: ast.AST) -> str:
    """The node's source in one line, with the double quotes that people write."""
    return _PLAIN_STRING.sub(r'"\1"', ast.unparse(node))
