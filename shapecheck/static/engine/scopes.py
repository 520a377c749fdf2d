"""The parts of a run that have a state of their own, each a `Run.scope` with the fields that it replaces."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.static.engine.budget import Budget, OutOfSteps

if TYPE_CHECKING:
    from shapecheck.static.domain.values import Value
    from shapecheck.static.engine.findings import Finding, FindingKey
    from shapecheck.static.engine.journal import Changes
    from shapecheck.static.engine.run import Run
    from shapecheck.static.engine.symbolic_inputs import SymbolicInputs


class Attempt(NamedTuple):
    """The result, the changes and the findings of something that was tried, and the functions that it called."""

    result: Value
    changes: Changes
    findings: dict[FindingKey, Finding]
    called: set[Hashable]


def attempt(run: Run, body: Callable[[], Value]) -> Attempt:
    """Runs one of several alternatives and undoes its changes; nothing is taken over."""
    findings: dict[FindingKey, Finding] = {}
    called: set[Hashable] = set()
    trials = run.trials + 1
    run.effects.went(0, trials)
    with run.scope(findings=findings, called=called, trials=trials):
        result, changes = run.journal.apart(body)
    return Attempt(result, changes, findings, called)


@contextmanager
def dry_run(run: Run) -> Iterator[None]:
    """Runs something for the observer alone: it has no findings and calls nothing."""
    rest = Budget(run.budget.most - run.budget.steps)
    with run.scope(findings={}, called=set(), analyzed=set(), budget=rest), suppress(OutOfSteps, RecursionError):
        yield


def within_steps(run: Run, most: int) -> AbstractContextManager[None]:
    """Runs something with a budget of its own."""
    return run.scope(budget=Budget(most))


def autocast(run: Run, *, enabled: bool) -> AbstractContextManager[None]:
    """Runs something inside or outside of `torch.autocast`."""
    return run.scope(autocasting=enabled)


def wary(run: Run, *, enabled: bool) -> AbstractContextManager[None]:
    """Runs something on a receiver whose state is uncertain."""
    return run.scope(is_wary=enabled)


def unwatched(run: Run) -> AbstractContextManager[None]:
    """Runs something that the observer does not see."""
    return run.scope(watch=None)


class Learning(NamedTuple):
    """The findings of a run that learns its inputs, and what it analyzed in isolation."""

    findings: dict[FindingKey, Finding]
    analyzed: set[ast.AST]


@contextmanager
def learning(run: Run, inputs: SymbolicInputs | None) -> Iterator[Learning]:
    """Runs something that may begin again once more is known of its inputs; nothing is taken over."""
    own = Learning({}, set(run.analyzed))
    with run.scope(inputs=inputs, findings=own.findings, analyzed=own.analyzed):
        yield own
