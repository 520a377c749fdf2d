"""What can be done about the findings at a place, and about the function and the class around it."""

from __future__ import annotations

import ast
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.editing.files import Analysis
from shapecheck.lsp.messages import Action, Question
from shapecheck.lsp.worker import edits
from shapecheck.lsp.worker.candidate import Candidate, FixTarget, edited
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.lsp.worker.report import findings_in, findings_with
from shapecheck.lsp.worker.suppression import suppression
from shapecheck.lsp.worker.syntax import at
from shapecheck.static.engine.places import span

_MOST = 6
"""Edits that are tried for one question."""


def answer(project: EditedProject, question: Question) -> list[Action]:
    """The actions, those that are most specific first."""
    path = Path(question.path)
    analysis = project.analyses.get(path)
    if analysis is None:
        return []
    return [*_for_findings(project, analysis, question), *_for_definitions(analysis, question)]


def _for_findings(project: EditedProject, analysis: Analysis, question: Question) -> Iterator[Action]:
    every = findings_in(project, analysis.path)
    near = [one for one in every if one.line <= question.end_line and one.end_line >= question.line]
    for one in near:
        works = [made for made in _candidates(analysis, one)[:_MOST] if _helps(project, analysis, made, one)]
        for candidate in works:
            yield Action(
                candidate.title,
                list(candidate.edits),
                codes=[one.code],
                line=one.line,
                is_preferred=candidate is works[0],
            )
    for one in near:
        edit = suppression(analysis.module.source, one)
        if edit is not None:
            yield Action(f"Suppress {one.code} on this line", [edit], codes=[one.code], line=one.line)


def _candidates(analysis: Analysis, one: Diagnostic) -> list[Candidate]:
    node = _node_of(analysis, one)
    if node is None:
        return []
    found = FixTarget(analysis, one, node)
    return [made for codes, candidates in _kinds() if one.code in codes for made in candidates(found)]


def _node_of(analysis: Analysis, one: Diagnostic) -> ast.AST | None:
    """The outermost expression that has the range of a finding."""
    place = at(analysis.module, one.line, one.column)
    wanted = (one.line, one.column, one.end_line, one.end_column)
    for node in place.path[1:]:
        if isinstance(node, ast.expr) and span(analysis.module, node) == wanted:
            return node
    return place.path[-1] if len(place.path) > 1 else None


def _helps(project: EditedProject, analysis: Analysis, candidate: Candidate, finding: Diagnostic) -> bool:
    """Whether an edit removes a finding, and leads to none at the lines that it changes, which stay where they are.

    What follows may have other findings: it was not checked before, because nothing was known about its tensors.
    """
    text = edited(analysis.module.text, candidate.edits)
    touched = {finding.line, *(one.line for one in candidate.edits)}
    return all(one.line not in touched for one in findings_with(project, analysis.path, text.encode()))


@cache
def _kinds() -> list[tuple[frozenset[str], Callable[[FixTarget], Iterator[Candidate]]]]:
    modules = (import_module(f"{edits.__name__}.{one.name}") for one in pkgutil.iter_modules(edits.__path__))
    return [(one.CODES, one.candidates) for one in modules]


def _for_definitions(analysis: Analysis, question: Question) -> Iterator[Action]:
    """What rewrites a function or a class; the edits are computed when they are needed."""
    place = at(analysis.module, question.line, question.column)
    names = [one.name for one in place.definitions]
    function, classes = place.function, [one for one in place.definitions if isinstance(one, ast.ClassDef)]
    if function is not None:
        about = {"topic": "annotate", "name": ".".join(names)}
        yield Action(f"Annotate {function.name} with shapes", [], kind="refactor.rewrite", later=about)
    for one in classes[-1:]:
        if any(isinstance(inner, ast.FunctionDef) and inner.name == "forward" for inner in one.body):
            about = {"topic": "typed_call", "name": one.name}
            yield Action(f"Add a typed __call__ to {one.name}", [], kind="refactor.rewrite", later=about)
    yield Action("Apply shapecheck fix", [], kind="source.fixAll", later={"topic": "typed_call", "name": ""})
