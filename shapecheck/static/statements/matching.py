"""`match` statements: each case that may fit is a branch; what its pattern binds is right or unknown."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.static.domain.enums import same_member
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import EnumMember, Value
from shapecheck.static.engine.dispatch import evaluate, run_block
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run


def run_match(run: Run, node: ast.Match) -> bool:
    """Runs the cases that the subject may fit."""
    subject = evaluate(run, node.subject)

    def fits(case: ast.match_case) -> tuple[bool, bool]:
        _bind(run, case.pattern, subject)
        if case.guard is not None and truth(evaluate(run, case.guard)) is False:
            return False, False
        goes_on = run_block(run, case.body)
        return goes_on, goes_on

    branches: list[Callable[[], tuple[bool, bool]]] = []
    for case in node.cases:
        verdict = _fits(run, case.pattern, subject)
        if verdict is not False:
            branches.append(partial(fits, case))
        if verdict and case.guard is None:
            break
    else:
        branches.append(lambda: (True, True))
    return any(run.branch(*branches))


def _fits(run: Run, pattern: ast.pattern, subject: Value) -> bool | None:
    """Whether the subject has the form; None where that is not known."""
    if isinstance(pattern, ast.MatchAs):
        return True if pattern.pattern is None else _fits(run, pattern.pattern, subject)
    if isinstance(pattern, ast.MatchOr):
        verdicts = [_fits(run, one, subject) for one in pattern.patterns]
        return True if True in verdicts else None if None in verdicts else False
    if isinstance(pattern, (ast.MatchValue, ast.MatchSingleton)):
        return _is_value(run, pattern, subject)
    if not isinstance(pattern, ast.MatchSequence) or type(subject) is not tuple:
        return None
    stars = sum(isinstance(one, ast.MatchStar) for one in pattern.patterns)
    due = len(pattern.patterns) - stars
    return None if (len(subject) >= due if stars else len(subject) == due) else False


def _is_value(run: Run, pattern: ast.MatchValue | ast.MatchSingleton, subject: Value) -> bool | None:
    due = evaluate(run, pattern.value) if isinstance(pattern, ast.MatchValue) else pattern.value
    if isinstance(due, EnumMember):
        return same_member(due, subject)
    if not isinstance(due, _PLAIN) or not isinstance(subject, _PLAIN):
        return None
    return due == subject and isinstance(due, bool) is isinstance(subject, bool)


_PLAIN = (bool, int, float, str, type(None))


def _bind(run: Run, pattern: ast.pattern, subject: Value) -> None:
    """Binds the names in a pattern: to the items of a tuple of known length, to the whole, else to what is unknown."""
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
    for part in ast.walk(pattern):
        name = getattr(part, "name", None) or getattr(part, "rest", None)
        if isinstance(name, str):
            run.journal.write(run.frame.names, name, Unknown("a part of what is matched"))
