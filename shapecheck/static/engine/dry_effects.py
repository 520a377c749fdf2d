"""Code that runs, but of which it is not known when: what it changes is unknown from then on."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Collection
from shapecheck.static.engine.path_constraints import PathConstraints
from shapecheck.static.engine.run import Run


def havoc_changes(run: Run, action: Callable[[], Value]) -> Value:
    """Runs an action, reports nothing, and makes unknown what it changes; returns its result."""
    with run.scope(findings={}, called=set(), analyzed=set(run.analyzed)), run.silenced():
        result, changes = run.journal.apart(action)
    for target, field in changes:
        if isinstance(target, Collection):
            run.journal.lose(target)
        elif not isinstance(target, PathConstraints):
            run.journal.write(target, field, Unknown("a value that other code may have changed"))
    return result
