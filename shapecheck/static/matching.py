"""`match` statements: each case that may fit is a branch; what its pattern binds is right or unknown."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.static.evaluation import evaluate, run_block
from shapecheck.static.iteration import items_of
from shapecheck.static.machine import Machine
from shapecheck.static.truth import truth
from shapecheck.static.values import Value


def run_match(machine: Machine, node: ast.Match) -> bool:
    """Runs the cases that the subject may fit."""
    subject = evaluate(machine, node.subject)

    def fits(case: ast.match_case) -> tuple[bool, bool]:
        _bind(machine, case.pattern, subject)
        if case.guard is not None and truth(evaluate(machine, case.guard)) is False:
            return False, False
        goes_on = run_block(machine, case.body)
        return goes_on, goes_on

    branches: list[Callable[[], tuple[bool, bool]]] = [
        partial(fits, case) for case in node.cases if _may_fit(case.pattern, subject)
    ]
    if not any(case.guard is None and _always_fits(case.pattern) for case in node.cases):
        branches.append(lambda: (True, True))
    return any(machine.branch(*branches))


def _always_fits(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or _always_fits(pattern.pattern))


def _may_fit(pattern: ast.pattern, subject: Value) -> bool:
    """False where a tuple of another length is due."""
    if not isinstance(pattern, ast.MatchSequence) or type(subject) is not tuple:
        return True
    stars = sum(isinstance(one, ast.MatchStar) for one in pattern.patterns)
    due = len(pattern.patterns) - stars
    return len(subject) >= due if stars else len(subject) == due


def _bind(machine: Machine, pattern: ast.pattern, subject: Value) -> None:
    """Binds the names in a pattern: to the items of a tuple of known length, to the whole, else to what is unknown."""
    if isinstance(pattern, ast.MatchSequence) and type(subject) is tuple:
        items = items_of(subject)
        if (
            items is not None
            and len(items) == len(pattern.patterns)
            and not any(isinstance(one, ast.MatchStar) for one in pattern.patterns)
        ):
            for one, item in zip(pattern.patterns, items, strict=True):
                _bind(machine, one, item)
            return
    if isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None:
            _bind(machine, pattern.pattern, subject)
        if pattern.name is not None:
            machine.journal.write(machine.frame.names, pattern.name, subject)
        return
    for part in ast.walk(pattern):
        name = getattr(part, "name", None) or getattr(part, "rest", None)
        if isinstance(name, str):
            machine.journal.write(machine.frame.names, name, Unknown("a part of what is matched"))
