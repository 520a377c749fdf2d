"""Call a module, not its forward: `model.forward(x)` becomes `model(x)`.

`nn.Module.__call__` runs the hooks and the compiled forward; `model.forward(x)` skips them. It is rewritten
if the receiver is known to be a module, and only reported otherwise. Inside forward, and in what forward calls on the
same object, `self.forward` is intended and stays.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from enum import Enum

from shapecheck.diagnostics.comments import ignores
from shapecheck.fix.receivers import Certainty, Receivers
from shapecheck.project.resolve import NameResolver
from shapecheck.project.scope import Class, File, FunctionNode, NameScope, OpaqueBinding

CODE = "direct-forward"
CALL = re.compile(r"(?<!super\(\))\.\s*forward\s*\(")
"""A file without a match has no direct calls."""


class Advice(Enum):
    """What to do about one direct call of forward."""

    REWRITE = "rewrite"
    BY_HAND = "by hand"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class DirectCall:
    """One `receiver.forward(...)`."""

    node: ast.Call
    receiver: str
    advice: Advice


def direct_calls(file: File, project: NameResolver) -> list[DirectCall]:
    """The direct calls of forward to report, in source order."""
    finder = _Finder(file, Receivers(project, _rebound(file.tree)))
    finder.visit_body(file.tree.body, file.scope, _Place())
    return sorted(finder.found, key=lambda call: (call.node.lineno, call.node.col_offset))


@dataclass(frozen=True, slots=True)
class _Place:
    """The class and the method around a node, if any."""

    cls: Class | None = None
    method: FunctionNode | None = None


@dataclass(slots=True)
class _Finder:
    file: File
    receivers: Receivers
    found: list[DirectCall] = field(default_factory=list)

    def visit_body(self, body: list[ast.stmt], scope: NameScope, place: _Place) -> None:
        for statement in body:
            self.visit(statement, scope, place)

    def visit(self, node: ast.AST, scope: NameScope, place: _Place) -> None:
        if isinstance(node, ast.ClassDef):
            cls = next((c for c in self.file.classes if c.node is node), None)
            self.visit_body(node.body, cls.body if cls else scope, _Place(cls))
            return
        if isinstance(node, FunctionNode):
            inner = self.receivers.scope_of(node, scope)
            method = place.method or (node if place.cls else None)
            self.visit_body(node.body, inner, _Place(place.cls, method))
            return
        if isinstance(node, ast.Call):
            self._call(node, scope, place)
        elif isinstance(node, _OWN_NAMES):
            scope = _expression_scope(node, scope)
        for child in ast.iter_child_nodes(node):
            self.visit(child, scope, place)

    def _call(self, node: ast.Call, scope: NameScope, place: _Place) -> None:
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr != "forward" or _is_super(function.value):
            return
        ends = {node.lineno, function.end_lineno or node.lineno}
        if any(ignores(self.file.source.lines[line - 1], CODE) for line in ends):
            return
        advice = self._advice(function, scope, place)
        if advice is not None:
            self.found.append(DirectCall(node, ast.unparse(function.value), advice))

    def _advice(self, function: ast.Attribute, scope: NameScope, place: _Place) -> Advice | None:
        sure = self.receivers.judge(function.value, scope, place.cls, place.method)
        if sure is Certainty.UNKNOWN:
            return Advice.UNSURE if _imports_torch(self.file) else None
        if sure is Certainty.NO:
            return None
        return Advice.REWRITE if sure is Certainty.MODULE and not self._commented(function) else Advice.BY_HAND

    def _commented(self, function: ast.Attribute) -> bool:
        """A comment between the receiver and `.forward` would be lost."""
        source, receiver = self.file.source, function.value
        start = source.offset(receiver.end_lineno or 1, receiver.end_col_offset or 0)
        end = source.offset(function.end_lineno or 1, function.end_col_offset or 0)
        return "#" in source.text[start:end]


_OWN_NAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _expression_scope(node: ast.AST, scope: NameScope) -> NameScope:
    """A scope in which a lambda's parameters or a comprehension's variables hide outer names."""
    inner = NameScope(scope.file, scope, "function")
    line = getattr(node, "lineno", 1)
    for child in ast.walk(node):
        if isinstance(child, ast.arg):
            inner.bind(child.arg, OpaqueBinding(line))
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            inner.bind(child.id, OpaqueBinding(line))
    return inner


def _rebound(tree: ast.Module) -> frozenset[str]:
    """Names bound in ways that scopes do not keep: from an inner function, in an expression, by `except` or `match`."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            names.update(node.names)
        elif isinstance(node, ast.NamedExpr):
            names.add(node.target.id)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
    return frozenset(names)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _imports_torch(file: File) -> bool:
    return any(_roots(statement) for statement in file.tree.body)


def _roots(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import):
        return any(alias.name.partition(".")[0] == "torch" for alias in statement.names)
    return isinstance(statement, ast.ImportFrom) and (statement.module or "").partition(".")[0] == "torch"
