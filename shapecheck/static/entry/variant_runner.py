"""Runs variants of entry points within a budget, and keeps what they share."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Set
from contextlib import nullcontext
from typing import NamedTuple

from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.engine.budget import UNCACHED_FACTOR, Budget
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.session import Session
from shapecheck.static.engine.watching import Watching
from shapecheck.static.entry.entry_runs import Entry, Found, run_once
from shapecheck.static.entry.variant_findings import accepted
from shapecheck.static.entry.variants import Variant

CALL = "wrong-call"
FAILURES = frozenset(("shape-mismatch", "dtype-mismatch", "non-contiguous", CALL))
_MOST_STEPS = 8_000


class VariantEntry(NamedTuple):
    """An entry point that variants run, and which of their findings to report."""

    owner: ClassValue | FunctionValue
    body: Callable[[Run], bool]
    """Runs it; false if a constructor refuses its arguments."""
    accepts: Callable[[Finding, Variant], bool] = accepted
    is_nested: bool = False
    """Whether the parameters are those of constructors that the entry point calls."""
    in_rows: bool = False
    """Whether inputs of which only the last size is known are 2-D."""

    def defaults(self, variants: Iterable[Variant] = (), opened: Iterable[ast.AST] = ()) -> EntryDefaults:
        """The defaults of a run of these variants, in which the defaults of the opened parameters are unknown."""
        values = {one.parameter.node: one.value for one in variants}
        made = EntryDefaults(frozenset(opened), in_rows=self.in_rows)
        if self.is_nested:
            made.nested = values
        else:
            made.replaced = values
        return made


class VariantRunner:
    """Runs the variants of the entry points of one file."""

    def __init__(self, session: Session, found: Found, in_body: Set[FindingKey], steps: int) -> None:
        """`in_body` are the findings of the body of the module, `steps` those that the next variants may take."""
        self._session = session
        self.known = found.findings.keys() | found.doubtful.keys() | in_body
        self.left = steps
        self._places: set[tuple[str, int, int]] = set()
        """Where something has been reported."""
        self._usually: dict[VariantEntry, Set[FindingKey]] = {}

    def has_findings(self, loaded: SourceModule) -> bool:
        """Whether the body of a module has findings."""
        body = self._session.bodies.get(loaded)
        return body is not None and bool(body.findings)

    def grant(self, steps: int) -> None:
        """Allows more steps, whatever the earlier variants took."""
        self.left = max(self.left, 0) + steps

    def is_first(self, finding: Finding) -> bool:
        """Whether nothing has been reported at the place of a finding; from now on, it has."""
        one = finding.diagnostic
        place = (one.path, one.line, one.column)
        is_new = place not in self._places
        self._places.add(place)
        return is_new

    def usual(self, entry: VariantEntry) -> Set[FindingKey]:
        """The findings of the entry point as it is; their run is shared by its variants."""
        if entry not in self._usually:
            self._usually[entry] = self.run(entry, entry.defaults()).findings.keys()
        return self._usually[entry]

    def run(
        self, entry: VariantEntry, defaults: EntryDefaults, done: list[bool] | None = None, *, notes: bool = False
    ) -> Found:
        """One run, without findings if it does not end; `done` receives whether there was something to analyze."""

        def body(run: Run) -> None:
            went = entry.body(run)
            if done is not None:
                done.append(went)

        return self.run_at(entry.owner.closure.loaded, entry.owner.node, body, defaults, notes=notes)

    def run_at(
        self,
        loaded: SourceModule,
        node: ast.AST,
        body: Entry,
        defaults: EntryDefaults,
        *,
        notes: bool,
        most: int = _MOST_STEPS,
    ) -> Found:
        """One run of code of a module with at most so many steps, without findings if it does not end.

        The observer sees only tensors of known rank where the program as it is shows none.
        """

        def action(run: Run) -> None:
            with nullcontext() if run.watch is None else run.watch.filling(Watching.VARIANT):
                body(run)

        unfinished, origins = self._session.unfinished, self._session.origins
        was_unfinished = loaded in unfinished
        unfinished.discard(loaded)
        with origins.passing() if notes else origins.resting():
            budget = Budget(most * (UNCACHED_FACTOR if notes else 1))
            found = run_once(self._session, loaded, node, action, Found(), budget, defaults)
        self.left -= budget.steps
        if loaded in unfinished:
            found.findings.clear()
        (unfinished.add if was_unfinished else unfinished.discard)(loaded)
        return found

    def failures(self, found: Found, codes: Set[str] = FAILURES) -> set[FindingKey]:
        """The failures of a run that the entry points do not have, or other findings with these codes."""
        return {key for key in found.findings.keys() - self.known if key[3] in codes}
