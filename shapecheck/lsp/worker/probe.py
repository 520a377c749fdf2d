"""Runs one entry point again with recorded origins, to see where the sizes of one value come from.

Origins are not kept after a run, because they keep all its values alive. An entry point takes a fraction of a second.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from math import inf

from shapecheck.diagnostics import Note
from shapecheck.editing.files import Analysis
from shapecheck.lsp.worker.syntax import At
from shapecheck.spec import Dim, Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Namespace
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.engine.budget import MOST_STEPS, Budget, OutOfSteps
from shapecheck.static.engine.call_stack import with_deep_stack
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.entry.class_entry import run_class
from shapecheck.static.entry.entry_runs import Found, run_once
from shapecheck.static.observing.observer import RunObserver
from shapecheck.static.provenance.conflicts import size_notes
from shapecheck.static.provenance.trace import ScopedExpression, trace
from shapecheck.static.statements.imports import run_body

_MOST_TRIES = 8
"""Values of an expression whose origins are looked for, until it has the one that is shown."""


class _Probe(RunObserver):
    """Looks at the values of one expression while it is evaluated."""

    def __init__(self, node: ast.expr, known: Value) -> None:
        super().__init__()
        self.node = node
        self.known = str(known)
        self.notes: dict[Size, list[Note]] = {}
        self._is_busy = False
        self._tries = 0

    def saw(self, run: Run, node: ast.expr, value: Value) -> None:
        """Follows the sizes of the value, and ends the run."""
        super().saw(run, node, value)
        if node is not self.node or self._is_busy or self._tries > _MOST_TRIES:
            return
        self._tries += 1
        self._is_busy = True  # to find the origins, expressions are evaluated again
        found = _notes(run, node, value)
        self._is_busy = False
        is_known = str(value) == self.known
        if found and (is_known or not self.notes):
            self.notes = found
            if is_known:
                self._tries = _MOST_TRIES + 1
                raise OutOfSteps


def size_origins(analysis: Analysis, place: At) -> dict[Size, list[Note]]:
    """Where the sizes of the value at a place come from, as far as that is known."""
    node = evaluated(place)
    entry = _entry(analysis, place)
    if node is None or entry is None:
        return {}
    owner, body = entry
    session = analysis.checker.session
    probe = _Probe(node, analysis.watch.values.get(node, (0, None))[1])
    unfinished = analysis.module in session.unfinished
    session.watch = probe
    try:
        with session.origins.passing():
            budget = Budget(MOST_STEPS)
            with_deep_stack(lambda: run_once(session, analysis.module, owner, body, Found(), budget))
    finally:
        session.watch = analysis.watch
        if not unfinished:
            session.unfinished.discard(analysis.module)
    return probe.notes


def _notes(run: Run, node: ast.expr, value: Value) -> dict[Size, list[Note]]:
    if isinstance(value, TensorSpec):
        sizes: list[Size] = [one for one in (*value.shape.head, *value.shape.tail) if one != 1]
        pairs = [(size, size_notes(run, value, size)) for size in dict.fromkeys(sizes)]
    elif is_integer(value):
        pairs = [(value, trace(run, ScopedExpression(run.frame.scope, node, inf), value))]
    else:
        return {}
    return {size: notes for size, notes in pairs if notes}


def evaluated(place: At) -> ast.expr | None:
    """The expression whose value is shown at a place: for a name that is assigned, what it is assigned."""
    node = place.expression
    if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
        parent = place.parent
        if isinstance(parent, (ast.Assign, ast.AnnAssign)) and not isinstance(node, ast.arg) and parent.value:
            return parent.value
        return _next_use(place, node.arg if isinstance(node, ast.arg) else node.id, node.lineno)
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return place.parent.value if isinstance(place.parent, ast.Assign) else None
    return node if isinstance(node, ast.expr) else None


def _next_use(place: At, name: str, line: int) -> ast.Name | None:
    body: ast.AST = place.function or place.path[0]
    uses = (one for one in ast.walk(body) if isinstance(one, ast.Name) and one.id == name)
    after = [one for one in uses if isinstance(one.ctx, ast.Load) and one.lineno >= line]
    return min(after, key=lambda one: (one.lineno, one.col_offset), default=None)


def _entry(analysis: Analysis, place: At) -> tuple[ast.AST, Callable[[Run], object]] | None:
    """The class or function at the top level around a place, as an entry point."""
    names = analysis.checker.session.modules.get(analysis.module)
    top = next(iter(place.definitions), None)
    if names is None:
        return None
    if top is None:
        return analysis.module.tree, lambda run: _run_body(run, analysis)
    for value in names.fields.values():
        if isinstance(value, ClassValue) and value.node is top:
            return top, partial(run_class, cls=value)
        if isinstance(value, FunctionValue) and value.node is top:
            return top, partial(_run_function, function=value)
    return None


def _run_function(run: Run, function: FunctionValue) -> None:
    dispatch.analyze_isolated(run, function)


def _run_body(run: Run, analysis: Analysis) -> None:
    run_body(run, Namespace(analysis.module))


def is_size(value: object) -> bool:
    """Whether a value is a size with an origin to look for."""
    return isinstance(value, (int, Dim)) and not isinstance(value, bool)
