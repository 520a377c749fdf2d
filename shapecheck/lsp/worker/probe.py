"""Where the sizes of one value come from: seen while the entry point around it runs again."""

from __future__ import annotations

import ast
from math import inf

from shapecheck.diagnostics import Note
from shapecheck.editing.files import Analysis
from shapecheck.lsp.worker.entries import entry_at, observe
from shapecheck.lsp.worker.syntax import At
from shapecheck.spec import Dim, Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.engine.budget import OutOfSteps
from shapecheck.static.engine.run import Run
from shapecheck.static.observing.observer import RunObserver
from shapecheck.static.provenance.conflicts import size_notes
from shapecheck.static.provenance.trace import ScopedExpression, trace

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
        found = notes_on(run, node, value)
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
    entry = entry_at(analysis, place)
    if node is None or entry is None:
        return {}
    probe = _Probe(node, analysis.watch.values.get(node, (0, None))[1])
    observe(analysis, entry, probe)
    return probe.notes


def notes_on(run: Run, node: ast.expr, value: Value) -> dict[Size, list[Note]]:
    """Where the sizes of a value come from that is being evaluated."""
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


def is_size(value: object) -> bool:
    """Whether a value is a size with an origin to look for."""
    return isinstance(value, (int, Dim)) and not isinstance(value, bool)
