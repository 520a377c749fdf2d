"""The bindings of the names of a file, scope by scope, as far as they are visible in statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from shapecheck.project.source import SourceFile

_NESTED_CLASS = re.compile(r"^[ \t]+class\b", re.MULTILINE)

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class ImportedName:
    """`from module import name` (or `import module` where name is empty); `level` counts the leading dots."""

    module: str
    name: str
    level: int
    line: int


@dataclass(frozen=True, slots=True)
class AssignedName:
    """`name = value`, or an annotated name; `value` and `annotation` are None if absent."""

    value: ast.expr | None
    annotation: ast.expr | None
    line: int


@dataclass(frozen=True, slots=True)
class Function:
    """`def name`."""

    node: FunctionNode
    scope: NameScope
    line: int


@dataclass(frozen=True, slots=True)
class OpaqueBinding:
    """A binding that is not modeled: a parameter, a loop variable, `del`, `as`."""

    line: int


@dataclass(eq=False, slots=True)
class Class:
    """A class statement. `index` is its rank among the file's class statements, in source order."""

    node: ast.ClassDef
    scope: NameScope
    body: NameScope
    index: int
    qualname: str

    @property
    def line(self) -> int:
        """The line of the `class` keyword."""
        return self.node.lineno

    @property
    def file(self) -> File:
        """The file that contains the class statement."""
        return self.scope.file


Binding = ImportedName | AssignedName | Function | OpaqueBinding | Class


@dataclass(eq=False, slots=True)
class NameScope:
    """One scope's names. A function scope skips the enclosing class scopes, as in Python."""

    file: File
    parent: NameScope | None
    kind: str
    names: dict[str, list[Binding]] = field(default_factory=dict)
    stars: list[ImportedName] = field(default_factory=list)

    def bind(self, name: str, binding: Binding) -> None:
        """Add a binding of a name; earlier ones are kept, because a name may be bound on two branches."""
        self.names.setdefault(name, []).append(binding)

    def chain(self) -> Iterator[NameScope]:
        """This scope and the scopes where a name is looked up next."""
        yield self
        outer = self.parent
        while outer is not None:
            if outer.kind != "class":
                yield outer
            outer = outer.parent


@dataclass(eq=False)
class File:
    """A parsed file: its tree, its module scope, and its class statements in source order."""

    source: SourceFile
    tree: ast.Module
    dotted: str
    is_package: bool
    scope: NameScope = field(init=False)
    classes: list[Class] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scope = NameScope(self, None, "module")
        _Binder(self, bool(_NESTED_CLASS.search(self.source.text))).run(self.tree.body, self.scope, "")

    def dissolve(self) -> None:
        """Cut the reference cycles, so that the tree is freed at once: workers run without the garbage collector."""
        for scope in (self.scope, *(cls.body for cls in self.classes)):
            scope.names.clear()
        self.classes.clear()
        self.tree.body.clear()
        del self.scope


class _Binder:
    """Walks statements, never expressions; enters functions only if the file contains a nested class."""

    def __init__(self, file: File, nested: bool) -> None:
        self.file = file
        self.nested = nested

    def run(self, body: Sequence[ast.stmt], scope: NameScope, prefix: str) -> None:
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                self._class(statement, scope, prefix)
            elif isinstance(statement, FunctionNode):
                self._function(statement, scope, prefix)
            else:
                bind_statement(statement, scope)
                for block in blocks(statement):
                    self.run(block, scope, prefix)

    def _class(self, node: ast.ClassDef, scope: NameScope, prefix: str) -> None:
        body = NameScope(self.file, scope, "class")
        name = prefix + node.name
        found = Class(node, scope, body, len(self.file.classes), name)
        self.file.classes.append(found)
        scope.bind(node.name, found)
        self.run(node.body, body, name + ".")

    def _function(self, node: FunctionNode, scope: NameScope, prefix: str) -> None:
        scope.bind(node.name, Function(node, scope, node.lineno))
        if self.nested:
            self.run(node.body, function_scope(node, scope), f"{prefix}{node.name}.<locals>.")


def function_scope(node: FunctionNode, scope: NameScope) -> NameScope:
    """A scope for a function's body with its parameters bound."""
    inner = NameScope(scope.file, scope, "function")
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for argument in named:
        inner.bind(argument.arg, AssignedName(None, argument.annotation, argument.lineno))
    for starred in (arguments.vararg, arguments.kwarg):
        if starred is not None:
            inner.bind(starred.arg, OpaqueBinding(starred.lineno))
    return inner


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statement lists of an if, loop, with, try or match, in source order."""
    if isinstance(statement, (ast.If, ast.For, ast.AsyncFor, ast.While)):
        yield statement.body
        yield statement.orelse
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        yield statement.body
    elif isinstance(statement, ast.Match):
        for case in statement.cases:
            yield case.body
    elif type(statement).__name__ in {"Try", "TryStar"}:
        yield from _try_blocks(statement)  # type: ignore[arg-type]


def _try_blocks(statement: ast.Try) -> Iterator[list[ast.stmt]]:
    yield statement.body
    for handler in statement.handlers:
        yield handler.body
    yield statement.orelse
    yield statement.finalbody


def bind_statement(statement: ast.stmt, scope: NameScope) -> None:
    """Bind what one simple statement, or the head of a compound one, binds."""
    line = statement.lineno
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            module = alias.name if alias.asname else alias.name.partition(".")[0]
            scope.bind(alias.asname or module, ImportedName(module, "", 0, line))
    elif isinstance(statement, ast.ImportFrom):
        _bind_from(statement, scope)
    elif isinstance(statement, ast.Assign):
        _bind_targets(statement.targets, AssignedName(statement.value, None, line), scope)
    elif isinstance(statement, ast.AnnAssign):
        _bind_targets([statement.target], AssignedName(statement.value, statement.annotation, line), scope)
    elif isinstance(statement, ast.Delete):
        _bind_targets(statement.targets, OpaqueBinding(line), scope)
    elif isinstance(statement, (ast.For, ast.AsyncFor, ast.AugAssign)):
        _bind_targets([statement.target], OpaqueBinding(line), scope)
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        named = [item.optional_vars for item in statement.items if item.optional_vars is not None]
        _bind_targets(named, OpaqueBinding(line), scope)


def _bind_from(statement: ast.ImportFrom, scope: NameScope) -> None:
    for alias in statement.names:
        imported = ImportedName(statement.module or "", alias.name, statement.level, statement.lineno)
        if alias.name == "*":
            scope.stars.append(imported)
        else:
            scope.bind(alias.asname or alias.name, imported)


def _bind_targets(targets: Sequence[ast.expr], binding: AssignedName | OpaqueBinding, scope: NameScope) -> None:
    for target in targets:
        if isinstance(target, ast.Name):
            scope.bind(target.id, binding)
        elif isinstance(target, ast.Starred):
            _bind_targets([target.value], OpaqueBinding(binding.line), scope)
        elif isinstance(target, (ast.Tuple, ast.List)):
            _bind_targets(target.elts, OpaqueBinding(binding.line), scope)
