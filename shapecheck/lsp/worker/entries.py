"""The entry points of a document, run again with recorded origins and an observer of one question.

Origins are not kept after a run, because they keep all its values alive. An entry point takes a fraction of a second.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from shapecheck.editing.files import Analysis
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.lsp.worker.syntax import At
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Namespace
from shapecheck.static.engine.budget import MOST_STEPS, Budget
from shapecheck.static.engine.call_stack import with_deep_stack
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.entry.class_entry import run_class
from shapecheck.static.entry.entry_runs import Found, run_once
from shapecheck.static.observing.observer import RunObserver
from shapecheck.static.statements.imports import run_body

Entry = tuple[ast.AST, Callable[[Run], object]]


def entry_at(analysis: Analysis, place: At) -> Entry | None:
    """The class or function at the top level around a place, or else the body of the module."""
    top = next(iter(place.definitions), None)
    every = entries_of(analysis)
    return next((one for one in every if one[0] is (analysis.module.tree if top is None else top)), None)


def entries_of(analysis: Analysis) -> Iterator[Entry]:
    """The body of the module, and its classes and functions."""
    names = analysis.checker.session.modules.get(analysis.module)
    if names is None:
        return
    yield analysis.module.tree, lambda run: run_body(run, Namespace(analysis.module))
    for value in list(names.fields.values()):
        if isinstance(value, ClassValue) and value.closure is names:
            yield value.node, partial(run_class, cls=value)
        elif isinstance(value, FunctionValue) and value.closure is names:
            yield value.node, partial(_run_function, function=value)


def observe(analysis: Analysis, entry: Entry, watch: RunObserver) -> None:
    """Runs an entry point with an observer in place of the document's own."""
    session, module = analysis.checker.session, analysis.module
    unfinished = module in session.unfinished
    session.watch = watch
    try:
        with session.origins.passing():
            with_deep_stack(lambda: run_once(session, module, *entry, Found(), Budget(MOST_STEPS)))
    finally:
        session.watch = analysis.watch
        if not unfinished:
            session.unfinished.discard(module)


def until_late(analyses: Iterable[Analysis], seconds: float) -> Iterator[tuple[Analysis, Entry]]:
    """All entry points of some documents, as long as there is time for another one: someone is waiting."""
    deadline = time.monotonic() + seconds
    for one in analyses:
        for entry in entries_of(one):
            if time.monotonic() > deadline:
                return
            yield one, entry


def using(project: EditedProject, path: Path) -> list[Analysis]:
    """The analyses of a document and of the open documents that read it, its own first."""
    own = [one for one in project.analyses.values() if one.path == path]
    others = {one.path: one for one in project.analyses.values()}
    return own + [others[one] for one in project.importers(path)]


def _run_function(run: Run, function: FunctionValue) -> None:
    dispatch.analyze_isolated(run, function)
