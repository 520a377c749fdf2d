"""The parts of a run that replace some of its fields by a `Run.scope`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.static.engine.budget import Budget, OutOfSteps

if TYPE_CHECKING:
    from shapecheck.static.domain.abstract_values import Value
    from shapecheck.static.engine.findings import Finding, FindingKey
    from shapecheck.static.engine.journal import Changes
    from shapecheck.static.engine.run import Run
    from shapecheck.static.engine.symbolic_inputs import SymbolicInputs


class TrialResult(NamedTuple):
    """The result, changes, findings and called functions of one case."""

    result: Value
    changes: Changes
    findings: dict[FindingKey, Finding]
    called: set[Hashable]


def attempt(run: Run, body: Callable[[], Value]) -> TrialResult:
    """Runs one of several cases and undoes its changes; its findings are not reported."""
    findings: dict[FindingKey, Finding] = {}
    called: set[Hashable] = set()
    trials = run.trials + 1
    run.effects.went(0, trials)
    with run.scope(findings=findings, called=called, trials=trials):
        result, changes = run.journal.apart(body)
    return TrialResult(result, changes, findings, called)


@contextmanager
def dry_run(run: Run, most: int | None = None) -> Iterator[None]:
    """Makes a dry run, for the observer alone: findings and called functions are dropped.

    It takes at most the given number of steps, or those that are left.
    """
    left = run.budget.most - run.budget.steps
    rest = Budget(left if most is None else min(left, most))
    with run.scope(findings={}, called=set(), analyzed=set(), budget=rest), suppress(OutOfSteps, RecursionError):
        yield


def within_steps(run: Run, most: int) -> AbstractContextManager[None]:
    """Replaces the budget."""
    return run.scope(budget=Budget(most))


def autocast(run: Run, *, enabled: bool) -> AbstractContextManager[None]:
    """Enables or disables autocast."""
    return run.scope(autocasting=enabled)


def wary(run: Run, *, enabled: bool) -> AbstractContextManager[None]:
    """Sets whether the state of the receiver is uncertain."""
    return run.scope(is_wary=enabled)


def unwatched(run: Run) -> AbstractContextManager[None]:
    """Runs without the observer."""
    return run.scope(watch=None)


class Learning(NamedTuple):
    """The findings of an analysis with symbolic inputs, and the functions that it analyzed in isolation."""

    findings: dict[FindingKey, Finding]
    analyzed: set[ast.AST]


@contextmanager
def learning(run: Run, inputs: SymbolicInputs | None) -> Iterator[Learning]:
    """Runs an analysis that may restart when its inputs are refined; its findings are not reported."""
    own = Learning({}, set(run.analyzed))
    with run.scope(inputs=inputs, findings=own.findings, analyzed=own.analyzed):
        yield own
