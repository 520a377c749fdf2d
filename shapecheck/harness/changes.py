"""What a run found that an earlier one did not, and the reverse: findings and outcomes, without figures.

Findings are matched by what they say of which file, case and module, not by their lines, which move when a file is
edited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.results import RunReport

_Identity = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class ReportChanges:
    """The changes since a report. new and fixed: findings. known: how many findings are in both.

    outcomes: name, outcome before and after of each case that ended otherwise; an empty outcome for a new case.
    missing: how many cases of the earlier run did not run in this one; their findings are not called fixed.
    """

    new: tuple[Diagnostic, ...] = ()
    known: int = 0
    fixed: tuple[Diagnostic, ...] = ()
    outcomes: tuple[tuple[str, str, str], ...] = ()
    missing: int = 0


def changes_since(earlier: RunReport, later: RunReport) -> ReportChanges:
    """The changes from one run to another, which may be a run of some of its cases."""
    before, after = ({case.name: case.outcome.value for case in report.cases} for report in (earlier, later))
    paths = {case.path for case in later.cases} | {one.path for one in later.diagnostics}
    old = [one for one in earlier.all_diagnostics() if one.case in after or (not one.case and one.path in paths)]
    found = later.all_diagnostics()
    new = _without(found, old)
    return ReportChanges(
        new=new,
        known=len(found) - len(new),
        fixed=_without(old, found),
        outcomes=tuple(
            (name, before.get(name, ""), outcome) for name, outcome in after.items() if before.get(name) != outcome
        ),
        missing=len(before.keys() - after.keys()),
    )


def _without(diagnostics: Sequence[Diagnostic], others: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Those that are not among the others; two with one text need two others."""
    left = Counter(map(_identity, others))
    found = []
    for one in diagnostics:
        if left[_identity(one)]:
            left[_identity(one)] -= 1
        else:
            found.append(one)
    return tuple(found)


def _identity(one: Diagnostic) -> _Identity:
    return one.case, one.path, one.module, one.code, one.message
