"""Runs of entry points: each with a run of its own, whose changes are undone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from shapecheck.static.domain.objects import allocation_ids
from shapecheck.static.engine.budget import UNCACHED_FACTOR, Budget, budget_after
from shapecheck.static.engine.cold_calls import ColdCalls
from shapecheck.static.engine.entry_defaults import DefaultsOfCall, EntryDefaults, UsedDefault
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.goals import Goal
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import unwatched
from shapecheck.static.engine.session import Session
from shapecheck.static.entry.default_dependence import FoundWith, as_warning, deciding_with, dependent_findings

_CERTAIN = frozenset(("stale-docstring",))
"""Codes of findings that do not depend on a default."""


class Doubtful(NamedTuple):
    """A finding that depends on a default, and all defaults of that function on which it depends."""

    finding: Finding
    default: UsedDefault
    decisive: frozenset[ast.expr]


@dataclass(slots=True)
class Found:
    """The findings of the entry points of one file so far, and the functions that they called or analyzed."""

    findings: dict[FindingKey, Finding] = field(default_factory=dict)
    called: set[Hashable] = field(default_factory=set)
    analyzed: set[ast.AST] = field(default_factory=set)
    doubtful: dict[FindingKey, Doubtful] = field(default_factory=dict)
    """The findings that depend on a default, as long as no other entry point has them."""
    used: dict[ast.AST, UsedDefault] = field(default_factory=dict)
    """The defaults that the last entry point used."""
    steps: int = 0
    """The steps of the entry points."""
    exhausted: int = 0
    """The number of entry points that ran out of steps."""
    cold: ColdCalls = field(default_factory=ColdCalls)
    """The functions whose calls are summarized, which the entry points of a file share."""

    def copy(self) -> Found:
        """A copy for an attempt that may be discarded."""
        return replace(
            self,
            findings=dict(self.findings),
            called=set(self.called),
            analyzed=set(self.analyzed),
            doubtful=dict(self.doubtful),
            used={},
        )

    def reported(self) -> Iterator[Finding]:
        """The findings to report: those that depend on a default as warnings, unless it is a placeholder.

        None if calls of the project use each of the defaults, but no call all of them.
        """
        yield from self.findings.values()
        for key, (finding, default, decisive) in self.doubtful.items():
            is_selected = default.default is not None and default.default in self.called
            code = finding.diagnostic.code
            is_kept = is_selected or (code not in _CERTAIN and not default.is_placeholder(code))
            if key in self.findings or not is_kept or (is_selected and self._is_never_called_with(default, decisive)):
                continue
            yield finding if is_selected else as_warning(finding, default)

    def _is_never_called_with(self, default: UsedDefault, decisive: frozenset[ast.expr]) -> bool:
        """Whether calls of a constructor are known, and each overrides one of these defaults."""
        calls = [one for one in self.called if isinstance(one, DefaultsOfCall) and one.constructor is default.owner]
        return bool(calls) and not any(decisive <= one.used for one in calls)


Entry = Callable[[Run], object]


def run_entry(session: Session, loaded: SourceModule, node: ast.AST, entry: Entry, before: Found) -> Found:
    """Runs one entry point; if it has findings, again with recorded origins, and with unknown defaults."""
    kept = session.kept_entries
    if kept is None:
        return _run_entry(session, loaded, node, entry, before)
    found: Found | None = kept.reused(node, before)
    if found is None:
        found = _run_entry(session, loaded, node, entry, before.copy())
        kept.keep(node, before, found)
    return found


def _run_entry(session: Session, loaded: SourceModule, node: ast.AST, entry: Entry, before: Found) -> Found:
    frozen = replace(before, cold=before.cold.frozen())
    with session.origins.resting():
        first = run_once(session, loaded, node, entry, before.copy())
    if len(first.findings) == len(before.findings):
        return first
    again, budget = frozen.copy(), Budget(UNCACHED_FACTOR * budget_after(before.steps, before.exhausted).most)
    with session.origins.passing():
        run_once(session, loaded, node, entry, again, budget, goal=Goal(again.findings, first.findings.keys()))
    noted = {key: one for key, one in again.findings.items() if key in first.findings}
    found = replace(first, findings=noted, used=again.used)

    def unobserved(run: Run) -> None:
        with unwatched(run):
            entry(run)

    def found_with(opened: frozenset[ast.AST]) -> Container[FindingKey]:
        own = frozen.copy()
        with session.origins.resting():
            goal = Goal(own.findings, noted.keys())
            run_once(session, loaded, node, unobserved, own, defaults=EntryDefaults(opened), goal=goal)
        return own.findings

    set_doubtful_apart(found, before, found_with)
    return found


def set_doubtful_apart(found: Found, before: Found, found_with: FoundWith) -> None:
    """Moves the new findings that depend on a default to the doubtful ones."""
    new = [key for key in found.findings.keys() - before.findings if found.findings[key].depends_on_values]
    used = list(found.used.values())
    for key, default in dependent_findings(new, used, found_with).items():
        finding = found.findings.pop(key)
        found.doubtful[key] = Doubtful(finding, default, deciding_with(finding, key, default, used, found_with))


def run_once(
    session: Session,
    loaded: SourceModule,
    node: ast.AST,
    entry: Entry,
    found: Found,
    budget: Budget | None = None,
    defaults: EntryDefaults | None = None,
    goal: Goal | None = None,
) -> Found:
    """Runs one entry point until it reaches the goal, adds its findings, and undoes its changes."""
    budget = budget or budget_after(found.steps, found.exhausted)
    defaults = EntryDefaults(used=found.used) if defaults is None else defaults
    run = Run(
        session,
        found.findings,
        found.called,
        found.analyzed,
        mark=next(allocation_ids),
        budget=budget,
        defaults=defaults,
        cold=found.cold,
        goal=goal,
    )
    run.journal.apart(lambda: run.safely(loaded, node, partial(entry, run)))
    found.steps += budget.steps
    found.exhausted += budget.is_exhausted
    return found
