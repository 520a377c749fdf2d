"""What `shapecheck check` says at the end: findings, the summary, the exit code."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO

from shapecheck.cli._summary import excluded_rows, in_columns
from shapecheck.diagnostics import Diagnostic, FailOn
from shapecheck.diagnostics.render import renderer
from shapecheck.project.files import Found, display_path
from shapecheck.project.parsing import unreadable_path

if TYPE_CHECKING:
    from shapecheck.cli._seen import Seen
    from shapecheck.project.baseline import Compared
    from shapecheck.project.silencing import Silenced

_NOT_LOOKED_AT = ("unreadable-file", "internal-error")
"""A file that does not parse is a finding about it; these say that the run is not complete."""


@dataclass(frozen=True)
class Findings:
    """The whole outcome of a run: what is to be reported, and how much comments and a baseline keep back."""

    found: Found
    outcome: Silenced
    compared: Compared | None = None
    from_cache: int = 0
    """How many files were not run, because all is known of them."""

    @property
    def heard(self) -> list[Diagnostic]:
        """What is to be reported of the files that were looked at."""
        return self.outcome.heard if self.compared is None else self.compared.new

    def beside(self, compared: Compared) -> Findings:
        """The same outcome, of which only what is not in the baseline is reported."""
        return replace(self, compared=compared)

    def all(self) -> list[Diagnostic]:
        """What is to be reported, paths that could not be looked at first."""
        problems = (unreadable_path(display_path(one.path), one.message) for one in self.found.problems)
        return [*problems, *self.heard]

    def exit_code(self, fail_on: FailOn) -> int:
        """0 clean, 1 findings, 2 something could not be looked at."""
        diagnostics = self.all()
        if any(diagnostic.code in _NOT_LOOKED_AT for diagnostic in diagnostics):
            return 2
        return int(fail_on.meets(diagnostic.severity for diagnostic in diagnostics))

    def show(self, form: str, quiet: bool, began: float, seen: Seen) -> None:
        """Print everything; `began` is when the run did, by `time.perf_counter`."""
        self.write(form, sys.stdout, seen)
        if form in ("text", "github") and not quiet:
            sys.stdout.flush()
            lines = in_columns(_rows(self.summary(), self.from_cache, time.perf_counter() - began))
            sys.stderr.writelines(f"{line}\n" for line in lines)

    def write(self, form: str, stream: TextIO, seen: Seen) -> None:
        """Write the report."""
        if form == "text":
            stream.writelines(seen.listing())
        renderer(form)(self.all(), stream, {"summary": self.summary(), **seen.for_json()})
        if form == "text":
            stream.writelines(seen.figures())

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


def _rows(summary: Mapping[str, Mapping[str, int]], from_cache: int, seconds: float) -> Iterator[tuple[int, str]]:
    files = summary["files"]["seen"]
    yield files, f"file{_s(files)} checked, in {seconds:.1f} s"
    if from_cache:
        yield from_cache, "known from the cache"
    for severity, count in summary["severities"].items():
        yield count, f"{severity}{_s(count)}"
    silenced = summary["silenced"]["by comment"]
    if silenced:
        yield silenced, "silenced by comment"
    if "baseline" in summary:
        yield summary["baseline"]["known"], "known from the baseline"
        if stale := summary["baseline"]["stale"]:
            yield stale, "of the baseline not found any more: --write-baseline takes them out"
    yield from excluded_rows(summary["excluded"])


def _s(count: int) -> str:
    return "" if count == 1 else "s"
