"""The final output of `shapecheck check`: findings, the summary, the exit code."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO

from shapecheck.cli._summary import excluded_rows, in_columns
from shapecheck.diagnostics import Diagnostic, FailOn
from shapecheck.diagnostics.render import renderer
from shapecheck.project.files import FileSearch, display_path
from shapecheck.project.parsing import unreadable_path

if TYPE_CHECKING:
    from pathlib import Path

    from shapecheck.cli._observations import Observations
    from shapecheck.project.baseline import BaselineComparison
    from shapecheck.project.silencing import SilencingResult

_INCOMPLETE = ("unreadable-file", "internal-error")
"""A file that does not parse is a finding about it; these say that the run is not complete."""


@dataclass(frozen=True)
class CheckReport:
    """The whole outcome of a run: what is to be reported, and how much comments and a baseline keep back."""

    found: FileSearch
    outcome: SilencingResult
    compared: BaselineComparison | None = None
    from_cache: int = 0
    """How many files were not run, because all is known of them."""
    written_to: Path | None = None
    """The baseline that this run wrote."""

    @property
    def reported(self) -> list[Diagnostic]:
        """What is to be reported of the files that were looked at."""
        return self.outcome.reported if self.compared is None else self.compared.new

    def with_baseline(self, compared: BaselineComparison, written_to: Path | None) -> CheckReport:
        """The same outcome, of which only what is not in the baseline is reported."""
        return replace(self, compared=compared, written_to=written_to)

    def all(self) -> list[Diagnostic]:
        """What is to be reported, paths that could not be looked at first."""
        problems = (unreadable_path(display_path(one.path), one.message) for one in self.found.problems)
        return [*problems, *self.reported]

    def exit_code(self, fail_on: FailOn) -> int:
        """0 clean, 1 findings, 2 something could not be looked at."""
        diagnostics = self.all()
        if any(diagnostic.code in _INCOMPLETE for diagnostic in diagnostics):
            return 2
        return int(fail_on.meets(diagnostic.severity for diagnostic in diagnostics))

    def show(self, form: str, quiet: bool, began: float, observations: Observations) -> None:
        """Print everything; `began` is when the run did, by `time.perf_counter`."""
        self.write(form, sys.stdout, observations)
        if form in ("text", "github") and not quiet:
            sys.stdout.flush()
            lines = in_columns(self._rows(time.perf_counter() - began))
            sys.stderr.writelines(f"{line}\n" for line in lines)

    def write(self, form: str, stream: TextIO, observations: Observations) -> None:
        """Write the report."""
        if form == "text":
            stream.writelines(observations.listing())
        renderer(form)(self.all(), stream, {"summary": self.summary(), **observations.for_json()})
        if form == "text":
            stream.writelines(observations.figures())

    def summary(self) -> dict[str, dict[str, int]]:
        """The figures of the run, as the JSON report has them."""
        diagnostics = self.all()
        summary = {
            "files": {"seen": len(self.found.files)},
            "excluded": dict(self.found.excluded),
            "severities": dict(Counter(diagnostic.severity.value for diagnostic in diagnostics)),
            "codes": dict(Counter(diagnostic.code for diagnostic in diagnostics)),
            "silenced": {"by comment": self.outcome.count},
        }
        if self.compared is not None:
            summary["baseline"] = {"known": self.compared.known, "stale": self.compared.stale}
        return summary

    def _rows(self, seconds: float) -> Iterator[tuple[int, str]]:
        summary = self.summary()
        files = summary["files"]["seen"]
        yield files, f"file{_s(files)} checked, in {seconds:.1f} s"
        if self.from_cache:
            yield self.from_cache, "known from the cache"
        for severity, count in summary["severities"].items():
            yield count, f"{severity}{_s(count)}"
        if self.outcome.count:
            yield self.outcome.count, "silenced by comment"
        if self.compared is not None:
            yield from _baseline_rows(self.compared, self.written_to)
        yield from excluded_rows(summary["excluded"])


def _baseline_rows(compared: BaselineComparison, written_to: Path | None) -> Iterator[tuple[int, str]]:
    if written_to is not None:
        yield compared.known, f"written to the baseline {display_path(written_to)}"
        return
    yield compared.known, "known from the baseline"
    if compared.stale:
        yield compared.stale, "of the baseline not found any more: --write-baseline takes them out"


def _s(count: int) -> str:
    return "" if count == 1 else "s"
