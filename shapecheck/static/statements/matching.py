"""`match` statements: each case that may match is a branch; captured names are exact or unknown."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.truth import truth
from shapecheck.static.engine.dispatch import evaluate, run_block
from shapecheck.static.engine.equality import equal, identical
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run


def run_match(run: Run, node: ast.Match) -> bool:
    """Runs the cases that may match the subject."""
    subject = evaluate(run, node.subject)

    def fits(case: ast.match_case) -> tuple[bool, bool]:
        _bind(run, case.pattern, subject)
        if case.guard is not None and truth(evaluate(run, case.guard)) is False:
            return False, False
        goes_on = run_block(run, case.body)
        return goes_on, goes_on

    branches: list[Callable[[], tuple[bool, bool]]] = []
    for case in node.cases:
        verdict = _matches(run, case.pattern, subject)
        if verdict is not False:
            branches.append(partial(fits, case))
        if verdict and case.guard is None:
            break
    else:
        branches.append(lambda: (True, True))
    return any(run.branch(*branches))


def _matches(run: Run, pattern: ast.pattern, subject: Value) -> bool | None:
    """Whether the pattern matches the subject; None if unknown."""
    if isinstance(pattern, ast.MatchAs):
        return True if pattern.pattern is None else _matches(run, pattern.pattern, subject)
    if isinstance(pattern, ast.MatchOr):
        verdicts = [_matches(run, one, subject) for one in pattern.patterns]
        return True if True in verdicts else None if None in verdicts else False
    if isinstance(pattern, (ast.MatchValue, ast.MatchSingleton)):
        return _is_value(run, pattern, subject)
    if isinstance(pattern, ast.MatchSequence) and type(subject) is tuple:
        return _is_sequence(run, pattern.patterns, subject)
    return None


def _is_sequence(run: Run, patterns: list[ast.pattern], subject: tuple[Value, ...]) -> bool | None:
    if any(isinstance(one, ast.MatchStar) for one in patterns):
        return None if len(subject) >= len(patterns) - 1 else False
    if len(subject) != len(patterns):
        return False
    verdicts = [_matches(run, one, item) for one, item in zip(patterns, subject, strict=True)]
    return False if False in verdicts else None if None in verdicts else True


def _is_value(run: Run, pattern: ast.MatchValue | ast.MatchSingleton, subject: Value) -> bool | None:
    """Whether the subject equals a literal or a dotted name, or is None, True or False."""
    if isinstance(pattern, ast.MatchValue):
        return equal(evaluate(run, pattern.value), subject)
    return identical(subject, pattern.value)


def _bind(run: Run, pattern: ast.pattern, subject: Value) -> None:
    """Binds the names in a pattern: to items of a tuple of known length, to the subject, else to unknown."""
    if isinstance(pattern, ast.MatchSequence) and type(subject) is tuple:
        items = items_of(subject)
        if (
            items is not None
            and len(items) == len(pattern.patterns)
            and not any(isinstance(one, ast.MatchStar) for one in pattern.patterns)
        ):
            for one, item in zip(pattern.patterns, items, strict=True):
                _bind(run, one, item)
            return
    if isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None:
            _bind(run, pattern.pattern, subject)
        if pattern.name is not None:
            run.journal.write(run.frame.names, pattern.name, subject)
        return
    for part in walk(pattern):
        name = getattr(part, "name", None) or getattr(part, "rest", None)
        if isinstance(name, str):
            run.journal.write(run.frame.names, name, Unknown("part of a matched value"))
