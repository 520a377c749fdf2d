"""A run in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.results import RunReport, Status
from shapecheck.harness.show.figures import duration, plural


def outcomes(report: RunReport) -> dict[Status, int]:
    """The number of cases per outcome, without zeros, in the order of Outcome."""
    found = Counter(case.outcome for case in report.cases)
    return {outcome: found[outcome] for outcome in Status if found[outcome]}


def severities(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    """The number of findings per severity, without zeros, the worst first."""
    found = Counter(one.severity for one in diagnostics)
    return {severity: found[severity] for severity in Severity if found[severity]}


def sentence(report: RunReport) -> str:
    """`3 cases in 4.20 s: 2 passed, 1 failed; 1 error, 2 notes`."""
    ended = ", ".join(f"{count:,} {outcome.value}" for outcome, count in outcomes(report).items())
    found = severities(report.all_diagnostics()).items()
    said = ", ".join(plural(count, severity.value) for severity, count in found) or "no findings"
    cases = f"{plural(len(report.cases), 'case')} in {duration(report.seconds)}"
    return f"{cases}: {ended}; {said}" if ended else f"{cases}; {said}"
