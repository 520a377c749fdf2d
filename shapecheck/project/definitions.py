"""The top-level statements of a file, what each binds, and what its code mentions: the units in which edits spread."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from shapecheck.project.importing import is_outside
from shapecheck.project.parsing import parse
from shapecheck.project.plain_statements import is_plain
from shapecheck.project.tree_walk import children_of, walk

Resolve = Callable[[int, str], "str | None"]
"""The real path of the file that a file imports, by level and dotted name; None outside of the project."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED = (*_FUNCTIONS, ast.ClassDef)
_WORD = re.compile(r"[^\W\d]\w*")
_OPEN_NAMES = frozenset(("globals", "__import__", "import_module"))
"""Functions that may read names of modules which the code does not mention."""


class NameImport(NamedTuple):
    """One name of an import; `name` is `*` for all of them, and empty for the module itself."""

    level: int
    module: str
    name: str
    bound: str


@dataclass
class Mentions:
    """What the code of a definition may refer to."""

    names: set[str]
    attributes: set[str]
    """Of anything but `self`."""
    imports: list[NameImport]
    is_open: bool
    """Whether it may read names that it does not mention."""


@dataclass(eq=False)
class TopLevelDefinition:
    """A top-level statement; `names` are those that it binds, and `is_plain` is whether it does nothing else."""

    node: ast.stmt
    names: frozenset[str]
    is_plain: bool
    outside: frozenset[str]
    """The names that its file imports from outside of the project."""

    @property
    def is_import(self) -> bool:
        """Whether it only binds what another module has."""
        return isinstance(self.node, (ast.Import, ast.ImportFrom))

    @cached_property
    def mentions(self) -> Mentions:
        """What its code may refer to."""
        return mentions_of(self.node, self.outside)


def definitions_of(text: str, resolve: Resolve) -> list[TopLevelDefinition]:
    """The top-level statements of a file, docstrings left out; raises an error of `CANNOT_PARSE`."""
    body = parse(text).body
    outside = _names_from_outside(body, resolve)
    return [
        TopLevelDefinition(one, frozenset(bound_by(one)), is_plain(one, outside), outside)
        for one in body
        if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]


def bound_by(node: ast.AST) -> set[str]:
    """The names that a statement binds where it is, those in nested blocks included."""
    if isinstance(node, _DOCUMENTED):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {one.bound for one in imported_by(node) if one.name != "*"}
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Load) else {node.id}
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return {one.target.id for one in walk(node) if isinstance(one, ast.NamedExpr)}
    named = {node.name} if isinstance(node, ast.ExceptHandler) and node.name else set()
    return named.union(*map(bound_by, children_of(node)))


def imported_by(node: ast.Import | ast.ImportFrom) -> Iterator[NameImport]:
    """The names of an import statement."""
    for one in node.names:
        if isinstance(node, ast.ImportFrom):
            yield NameImport(node.level, node.module or "", one.name, one.asname or one.name)
        elif one.asname:
            yield NameImport(0, one.name, "", one.asname)
        else:
            yield NameImport(0, one.name, "", one.name.partition(".")[0])


def targets(one: NameImport, resolve: Resolve) -> Iterator[str | None]:
    """The files of the project that an import may lead to; None if it is one outside of it."""
    inner = f"{one.module}.{one.name}" if one.module else one.name
    every = [one.module] if one.name in ("", "*") else [one.module, inner]
    for dotted in every:
        yield None if not one.level and is_outside(dotted) else resolve(one.level, dotted)


def _names_from_outside(body: Iterable[ast.stmt], resolve: Resolve) -> frozenset[str]:
    """The names that are bound by imports from outside of the project alone."""
    outside: set[str] = set()
    others: set[str] = set()
    for one in body:
        for node in walk(one) if isinstance(one, (ast.Try, ast.If)) else (one,):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for name in imported_by(node):
                    kept = outside if all(found is None for found in targets(name, resolve)) else others
                    kept.add(name.bound)
            elif not isinstance(one, (ast.Try, ast.If)) or isinstance(node, ast.stmt):
                others |= bound_by(node) if not isinstance(node, (ast.Try, ast.If)) else set()
    return frozenset(outside - others)


def mentions_of(node: ast.AST, outside: Container[str] = ()) -> Mentions:
    """What code may refer to: names, attributes, and the words of strings other than docstrings."""
    found = Mentions(set(), set(), [], is_open=False)
    documentation: set[int] = set()
    for one in walk(node):
        if isinstance(one, _DOCUMENTED):
            first = one.body[0]
            if isinstance(first, ast.Expr):
                documentation.add(id(first.value))
        elif id(one) not in documentation:
            _add_mentions(found, one, outside)
    return found


def _add_mentions(found: Mentions, one: ast.AST, outside: Container[str]) -> None:
    if isinstance(one, ast.Name):
        found.names.add(one.id)
    elif isinstance(one, ast.Attribute):
        found.attributes.update(() if _is_self(one.value) else (one.attr,))
    elif isinstance(one, ast.Constant):
        words = _WORD.findall(one.value) if isinstance(one.value, str) else ()
        found.names.update(words)
        found.attributes.update(words)
    elif isinstance(one, ast.Call):
        found.is_open |= _is_open(one, outside)
    elif isinstance(one, (ast.Import, ast.ImportFrom)):
        found.imports += imported_by(one)
    elif isinstance(one, (ast.Global, ast.Nonlocal)):
        found.names.update(one.names)


def names_in(*nodes: ast.AST) -> set[str]:
    """The names in code, and those of attributes."""
    return {
        one.id if isinstance(one, ast.Name) else one.attr
        for node in nodes
        for one in walk(node)
        if isinstance(one, (ast.Name, ast.Attribute))
    }


def _is_open(call: ast.Call, outside: Container[str]) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name == "getattr" and len(call.args) > 1:
        root = _root(call)
        return not isinstance(call.args[1], ast.Constant) and not _is_self(call.args[0]) and root not in outside
    return name in _OPEN_NAMES


def _root(node: ast.expr) -> str:
    """The name at the start of `name.a.b[0]` or `getattr(name.a, "b")`."""
    while not isinstance(node, ast.Name):
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            node = node.args[0]
        else:
            return ""
    return node.id


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")
