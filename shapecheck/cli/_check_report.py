"""The final output of `shapecheck check`: findings, the summary, the exit code."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TextIO

from shapecheck.cli._summary import excluded_lines
from shapecheck.diagnostics import Diagnostic, FailOn
from shapecheck.diagnostics.counts import counted, counted_severities, listed
from shapecheck.diagnostics.render import renderer
from shapecheck.project.files import FileSearch, display_path
from shapecheck.project.parsing import unreadable_path
from shapecheck.project.source_lines import shown

if TYPE_CHECKING:
    from pathlib import Path

    from shapecheck.cli._observations import Observations
    from shapecheck.cli._stream import FindingStream
    from shapecheck.project.baseline import BaselineComparison
    from shapecheck.project.silencing import SilencingResult

_INCOMPLETE = ("unreadable-file", "internal-error")
"""These mean that the run is incomplete; a syntax error is an ordinary finding."""

_MOST_NAMES = 3
"""Of files that the summary names."""


class CheckReport(NamedTuple):
    """The outcome of a run: the findings to report, and how many a comment or the baseline suppresses."""

    found: FileSearch
    outcome: SilencingResult
    compared: BaselineComparison | None = None
    from_cache: int = 0
    """How many files were not checked again, because their findings are cached."""
    cut_short: tuple[str, ...] = ()
    """The files whose analysis reached its limit of steps, as they are displayed."""
    written_to: Path | None = None
    """The baseline that this run wrote."""

    @property
    def reported(self) -> list[Diagnostic]:
        """The findings to report in the files that were checked."""
        return self.outcome.reported if self.compared is None else self.compared.new

    def with_baseline(self, compared: BaselineComparison, written_to: Path | None) -> CheckReport:
        """The same outcome, which reports only findings that are not in the baseline."""
        return self._replace(compared=compared, written_to=written_to)

    def all(self) -> list[Diagnostic]:
        """The findings to report, those about unreadable paths first."""
        problems = (unreadable_path(display_path(one.path), one.message) for one in self.found.problems)
        return [*problems, *self.reported]

    def exit_code(self, fail_on: FailOn) -> int:
        """0 no findings, 1 findings, 2 something could not be checked."""
        diagnostics = self.all()
        if any(diagnostic.code in _INCOMPLETE for diagnostic in diagnostics):
            return 2
        return int(fail_on.meets(diagnostic.severity for diagnostic in diagnostics))

    def show(
        self, form: str, quiet: bool, began: float, observations: Observations, stream: FindingStream | None = None
    ) -> None:
        """Print everything, except what `stream` has printed.

        `began` is the start of the run, from `time.perf_counter`.
        """
        if stream is None:
            self.write(form, sys.stdout, observations)
        else:
            stream.finish(self.all())
        if form in ("text", "github") and not quiet:
            sys.stdout.flush()
            sys.stderr.writelines(f"{line}\n" for line in self._summary_lines(time.perf_counter() - began))

    def write(self, form: str, stream: TextIO, observations: Observations) -> None:
        """Write the report."""
        if form == "text":
            stream.writelines(observations.listing())
        findings, sources = shown(self.all(), form)
        renderer(form)(findings, stream, {"summary": self.summary(), **observations.for_json(), **sources})
        if form == "text":
            stream.writelines(observations.figures())

    def summary(self) -> dict[str, object]:
        """The counts of the run for the JSON report, and the files that were cut short."""
        diagnostics = self.all()
        summary: dict[str, object] = {
            "files": {"seen": len(self.found.files)},
            "excluded": dict(self.found.excluded),
            "severities": dict(Counter(diagnostic.severity.value for diagnostic in diagnostics)),
            "codes": dict(Counter(diagnostic.code for diagnostic in diagnostics)),
            "silenced": {"by comment": self.outcome.count},
            "cut short": list(self.cut_short),
        }
        if self.compared is not None:
            summary["baseline"] = {"known": self.compared.known, "stale": self.compared.stale}
        return summary

    def _summary_lines(self, seconds: float) -> Iterator[str]:
        yield f"{self._found()} ({self._checked(seconds)})"
        yield from self._suppressed()
        yield from self._cut_short()
        if self.written_to is not None and self.compared is not None:
            yield f"Wrote {counted(self.compared.known, 'finding')} to the baseline {display_path(self.written_to)}"
        elif self.compared is not None and self.compared.stale:
            verb = "occurs" if self.compared.stale == 1 else "occur"
            yield f"{_entries(self.compared.stale)} no longer {verb}; remove with --write-baseline"
        yield from excluded_lines(self.found.excluded)

    def _found(self) -> str:
        diagnostics = self.all()
        counts = counted_severities(Counter(one.severity.value for one in diagnostics))
        new = "new " if self.compared is not None else ""
        if not counts:
            return f"No {new}findings"
        return f"Found {counts} in {counted(len({one.path for one in diagnostics}), 'file')}"

    def _checked(self, seconds: float) -> str:
        cached = f", {self.from_cache:,} from the cache" if self.from_cache else ""
        return f"checked {counted(len(self.found.files), 'file')} in {seconds:.1f} s{cached}"

    def _suppressed(self) -> Iterator[str]:
        known = 0 if self.compared is None or self.written_to is not None else self.compared.known
        by_whom = ((self.outcome.count, "by comment"), (known, "by the baseline"))
        parts = [f"{counted(count, 'finding')} {how}" for count, how in by_whom if count]
        if parts:
            yield f"Suppressed {listed(parts)}"

    def _cut_short(self) -> Iterator[str]:
        if self.cut_short:
            names, more = self.cut_short[:_MOST_NAMES], len(self.cut_short) - _MOST_NAMES
            listing = listed([*names, f"{more:,} more"] if more > 0 else names)
            files = counted(len(self.cut_short), "file")
            yield f"Stopped early in {files}, after too many steps: {listing} (--stats shows what was not analyzed)"


def _entries(count: int) -> str:
    return "1 entry of the baseline" if count == 1 else f"{count:,} entries of the baseline"
