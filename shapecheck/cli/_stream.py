"""Prints findings on a terminal while the run goes on: those of each file, in the order of the files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from shapecheck.cli._progress import ProgressBar
from shapecheck.diagnostics import REVEALED, Diagnostic
from shapecheck.diagnostics.render import renderer
from shapecheck.project.files import FileSearch, display_path
from shapecheck.project.notebook import in_cells
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.parsing import unreadable_path
from shapecheck.project.same_cause import YIELDS
from shapecheck.selection import Selection, reported

_Key = tuple[str, int, int, str, str]


class FindingStream:
    """Prints what a file has by itself as soon as it and all files before it are checked, and the rest at the end.

    The rest depends on other files: what a run of another file finds in this one, values that `reveal_shape` has in
    several runs, and comments that suppress nothing.
    """

    def __init__(self, found: FileSearch, selection: Selection, bar: ProgressBar) -> None:
        self._selection = selection
        self._bar = bar
        self._printed: set[_Key] = set()
        self._print([unreadable_path(display_path(one.path), one.message) for one in found.problems])

    def add(self, outcome: FileOutcome) -> None:
        """Prints the findings of a file in itself."""
        self._print([*self._own(outcome)] if outcome.diagnostics else [])

    def finish(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Prints the findings of the whole run that were not printed before."""
        self._print([one for one in diagnostics if _key(one) not in self._printed])

    def _own(self, outcome: FileOutcome) -> Iterator[Diagnostic]:
        yielding = {_key(one) for one in outcome.diagnostics if any(cause.startswith(YIELDS) for cause in one.causes)}
        display = display_path(outcome.path)
        for one in reported([outcome], self._selection, ()).reported:
            if one.path == display and one.code not in REVEALED and _key(one) not in yielding:
                yield one

    def _print(self, diagnostics: Sequence[Diagnostic]) -> None:
        if diagnostics:
            self._printed.update(map(_key, diagnostics))
            with self._bar.hidden():
                renderer("text")(list(in_cells(diagnostics)), sys.stdout, {})
                sys.stdout.flush()


def _key(one: Diagnostic) -> _Key:
    return one.path, one.line, one.column, one.code, one.message


def stream_for(found: FileSearch, selection: Selection, bar: ProgressBar, form: str) -> FindingStream | None:
    """A stream of findings, if they are text on a terminal."""
    return FindingStream(found, selection, bar) if form == "text" and sys.stdout.isatty() else None
