"""The report about a document: its findings as `shapecheck check` reports them, and what hints show."""

from __future__ import annotations

import ast
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.editing.files import Analysis
from shapecheck.editing.hints import hints_of
from shapecheck.lsp.messages import CheckRequest, Model, Report
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome
from shapecheck.selection import reported
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.entry.checker import Checker


def report(project: EditedProject, request: CheckRequest) -> Report:
    """Checks a document."""
    began = time.process_time()
    path = Path(request.path)
    failure = project.failure(path, project.texts[path])
    if failure is not None:
        return Report(request.id, request.path, failure=failure)
    before = _elsewhere(project, path)
    project.check(path, is_quick=request.is_quick)
    analysis = project.analyses[path]
    now = _elsewhere(project, path)
    return Report(
        request.id,
        request.path,
        findings_in(project, path),
        hints_of(analysis),
        list(_models(analysis)),
        importers=[str(one) for one in project.importers(path)],
        elsewhere=[str(one) for one in now],
        affected=[str(one) for one in dict.fromkeys((*before, *now)) if before.get(one) != now.get(one)],
        seconds=time.process_time() - began,
        is_quick=request.is_quick,
    )


def _elsewhere(project: EditedProject, path: Path) -> dict[Path, list[Diagnostic]]:
    """The findings that the last analysis of a document has in other open documents."""
    displays = {display_path(one): one for one in project.texts if one != path}
    analysis = project.analyses.get(path)
    found: dict[Path, list[Diagnostic]] = {}
    for one in () if analysis is None else analysis.outcome.diagnostics:
        if one.path in displays:
            found.setdefault(displays[one.path], []).append(one)
    return found


def findings_in(project: EditedProject, path: Path) -> list[Diagnostic]:
    """The findings in one document, those that other open documents lead to included."""
    outcomes = [one.outcome for one in project.analyses.values()]
    return _reported(project, path, outcomes, project.analyses[path].checker)


def findings_with(project: EditedProject, path: Path, content: bytes) -> list[Diagnostic]:
    """The findings in a document if it had another content."""
    checker = project.checker()
    checker.project.replaced[os.path.realpath(path)] = content
    outcome = checker.outcome(path, project.asked())
    others = [one.outcome for one in project.analyses.values() if one.path != path]
    return _reported(project, path, [outcome, *others], checker)


def _reported(
    project: EditedProject, path: Path, outcomes: Sequence[FileOutcome], checker: Checker
) -> list[Diagnostic]:
    display = display_path(path)
    found = reported(outcomes, project.selection, (), checker.project.content).reported
    return [one for one in found if one.path == display]


def _models(analysis: Analysis) -> Iterator[Model]:
    """The modules that a document defines."""
    names = analysis.checker.session.modules.get(analysis.module)
    for value in () if names is None else names.fields.values():
        if isinstance(value, ClassValue) and value.closure is names and is_module(value):
            node = value.node
            forward = next(
                (one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "forward"), None
            )
            if forward is not None:
                annotations = (one.annotation for one in forward.args.args)
                annotated = any(isinstance(one, ast.Subscript) for one in annotations)
                yield Model(
                    node.name, node.lineno, analysis.module.source.column(node.lineno, node.col_offset) + 1, annotated
                )
