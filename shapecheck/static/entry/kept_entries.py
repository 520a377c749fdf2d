"""Results of entry points that are kept when an editor changes other definitions of their file.

What is kept may be wrong: a definition can depend on another one in a way that the names in it do not show. It is for
the time until the file is checked as a whole.
"""

from __future__ import annotations

import ast
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, replace

from shapecheck.diagnostics import Diagnostic, Note
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.entry.entry_runs import Doubtful, Found

_PATIENCE = 0.4
"""Seconds after which definitions that depend on a changed one keep what they have."""
Moved = Callable[[int], "int | None"]
"""The present number of an earlier line; None if it has changed."""


@dataclass(frozen=True)
class _Kept:
    """What one entry point has added to the results of a file."""

    findings: dict[FindingKey, Finding]
    doubtful: dict[FindingKey, Doubtful]
    found: Found
    called: frozenset[Hashable]
    analyzed: frozenset[ast.AST]
    steps: int
    exhausted: int


class KeptEntries:
    """The results of the entry points of one file."""

    def __init__(self, runs_again: Callable[[ast.AST], None] = lambda _: None) -> None:
        """`runs_again` is called with each definition that has not changed, before it runs."""
        self._runs_again = runs_again
        self._kept: dict[tuple[ast.AST, int], _Kept] = {}
        self._runs: Counter[ast.AST] = Counter()
        self._same: Collection[ast.AST] = ()
        self._affected: Collection[ast.AST] = ()
        self._end = 0.0

    def begin(self, same: Collection[ast.AST], affected: Collection[ast.AST], path: str, moved: Moved) -> None:
        """Starts a run: `same` are the unchanged definitions, and `affected` those that may depend on changed ones."""
        self._runs.clear()
        self._same, self._affected = same, affected
        self._end = time.perf_counter() + _PATIENCE
        still = {key: _moved(one, path, moved) for key, one in self._kept.items() if key[0] in same}
        self._kept = {key: one for key, one in still.items() if one is not None}

    def reused(self, node: ast.AST, before: Found) -> Found | None:
        """The results so far and the kept ones of an entry point; None if it has to run."""
        one = self._kept.get((node, self._runs[node]))
        is_due = node in self._affected and time.perf_counter() < self._end
        if is_due and not self._runs[node]:
            self._runs_again(node)
        if one is None or is_due:
            return None
        self._runs[node] += 1
        found = before.copy()
        found.findings |= one.findings
        found.doubtful |= one.doubtful
        found.called |= one.called
        found.analyzed |= one.analyzed
        found.used = one.found.used
        found.steps += one.steps
        found.exhausted += one.exhausted
        return found

    def keep(self, node: ast.AST, before: Found, after: Found) -> None:
        """Keeps what an entry point has added."""
        self._kept[node, self._runs[node]] = _Kept(
            {key: one for key, one in after.findings.items() if key not in before.findings},
            {key: one for key, one in after.doubtful.items() if key not in before.doubtful},
            Found(used=after.used),
            frozenset(after.called - before.called),
            frozenset(after.analyzed - before.analyzed),
            after.steps - before.steps,
            after.exhausted - before.exhausted,
        )
        self._runs[node] += 1


def _moved(one: _Kept, path: str, moved: Moved) -> _Kept | None:
    """The same results at the present lines; None if a line has changed."""
    if not one.findings and not one.doubtful:
        return one
    findings = [_at_present(finding, path, moved) for finding in one.findings.values()]
    doubtful = [(_at_present(known.finding, path, moved), known) for known in one.doubtful.values()]
    if None in findings or any(finding is None for finding, _ in doubtful):
        return None
    return replace(
        one,
        findings={_key(finding): finding for finding in findings if finding is not None},
        doubtful={_key(finding): known._replace(finding=finding) for finding, known in doubtful if finding is not None},
    )


def _key(one: Finding) -> FindingKey:
    return one.diagnostic.path, one.diagnostic.line, one.diagnostic.column, one.diagnostic.code


def _at_present(finding: Finding, path: str, moved: Moved) -> Finding | None:
    now = moved_diagnostic(finding.diagnostic, path, moved)
    return None if now is None else Finding(now, finding.callers, finding.conflict)


def moved_diagnostic(one: Diagnostic, path: str, moved: Moved) -> Diagnostic | None:
    """A finding at the present line, without notes on lines that have changed; None if its own line has."""
    line, end_line = (moved(one.line), moved(one.end_line)) if one.path == path else (one.line, one.end_line)
    if line is None or end_line is None:
        return None
    notes = tuple(now for note in one.notes if (now := _moved_note(note, path, moved)) is not None)
    return replace(one, line=line, end_line=end_line, notes=notes)


def _moved_note(note: Note, path: str, moved: Moved) -> Note | None:
    line = moved(note.line) if note.path == path else note.line
    return None if line is None else replace(note, line=line)
