"""The final output of `shapecheck fix`: findings, changed files, the summary, the exit code."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

from shapecheck.cli._fix_summary import summary_lines
from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.diagnostics.render import renderer
from shapecheck.diagnostics.render.as_json import as_dict
from shapecheck.fix.model import FileResult, FixOptions, FixStatus
from shapecheck.project.files import FileSearch, display_path
from shapecheck.project.parsing import unreadable_path
from shapecheck.project.source_lines import shown


@dataclass(frozen=True)
class FixReport:
    """The whole outcome of a run."""

    found: FileSearch
    results: list[FileResult]
    options: FixOptions

    def findings(self) -> list[Diagnostic]:
        """What needs a manual change and, if nothing is written, also what a run would fix."""
        findings = [unreadable_path(display_path(p.path), p.message) for p in self.found.problems]
        for result in self.results:
            fixable = [] if self.options.write or self.options.diff else result.fixed
            findings += sorted([*fixable, *result.left])
        return findings

    def exit_code(self) -> int:
        """0 nothing to do or everything fixed, 1 something to do, 2 something could not be read; notes do not count."""
        if self.found.problems or any(result.outcome is FixStatus.FAILED for result in self.results):
            return 2
        to_do = (
            diagnostic
            for result in self.results
            for diagnostic in (*result.left, *(() if self.options.write else result.fixed))
        )
        return int(any(diagnostic.severity is not Severity.NOTE for diagnostic in to_do))

    def show(self, form: str, quiet: bool, began: float) -> None:
        """Print everything; `began` is the start of the run, from `time.perf_counter`."""
        out: TextIO = sys.stdout
        if self.options.diff:
            out.writelines(result.diff for result in self.results)
            out = sys.stderr
        summary = self.summary()
        changed = list(_changed(self.results))
        fixed = [as_dict(diagnostic) for result in changed for diagnostic in result.fixed]
        written = self.options.write
        extra = {
            "fixed": fixed if written else [],
            "changed": [result.path for result in changed],
            "summary": summary,
        }
        findings, sources = shown(self.findings(), form)
        renderer(form)(findings, out, {**extra, **sources})
        if form == "text" and written and not quiet:
            out.writelines(f"{result.path}: fixed {_counts(result)}\n" for result in changed)
        if form != "json" and not quiet:
            sys.stdout.flush()
            lines = summary_lines(summary, written, time.perf_counter() - began)
            sys.stderr.writelines(f"{line}\n" for line in lines)

    def summary(self) -> dict[str, dict[str, int]]:
        """The counts of the run for the JSON report."""
        outcomes = Counter(result.outcome for result in self.results)
        findings = Counter(d.severity.value for result in self.results for d in result.left)
        return {
            "files": {
                "seen": len(self.results),
                "changed": outcomes[FixStatus.CHANGED],
                "unchanged": outcomes[FixStatus.CLEAN],
                "skipped": outcomes[FixStatus.SKIPPED],
                "failed": outcomes[FixStatus.FAILED] + len(self.found.problems),
            },
            "skipped": dict(Counter(r.reason for r in self.results if r.outcome is FixStatus.SKIPPED)),
            "excluded": dict(self.found.excluded),
            "fixed": dict(Counter(d.code for result in self.results for d in result.fixed)),
            "left": dict(findings),
            "classes": {"seen": sum(result.classes for result in self.results), **_tally(self.results)},
        }


def _changed(results: Iterable[FileResult]) -> Iterator[FileResult]:
    return (result for result in results if result.outcome is FixStatus.CHANGED)


def _tally(results: Iterable[FileResult]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for result in results:
        total.update(result.tally)
    return dict(total.most_common())


def _counts(result: FileResult) -> str:
    counts = Counter(diagnostic.code for diagnostic in result.fixed)
    return ", ".join(f"{count} {code}" for code, count in counts.items())
