"""Data of a case for the HTML template: findings by line, bars, figures."""

from __future__ import annotations

import math
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.diagnostics.marked import marked_part
from shapecheck.harness.results import CaseResult, CheckResult, Cost, LineRecord, RunReport, Status, flat
from shapecheck.harness.show import figures
from shapecheck.harness.show.groups import package_of
from shapecheck.harness.show.modules import Texts, rows
from shapecheck.project.source_lines import SourceLines

_MARGIN = 2
"""Lines of source that are shown before and after that of a finding."""
_SEVERAL = 3
"""This many checks that were skipped for the same reason, or more, share one row."""
_DECADES_BELOW, _DECADES_ABOVE = 3, 1
"""Decades of the scale of arithmetic intensity on each side of the device's own."""


@dataclass(frozen=True)
class SourceLine:
    """A line of an excerpt, split where the mark starts and ends; only the line of the finding has one."""

    number: int
    before: str
    mark: str = ""
    after: str = ""
    highlighted: bool = False


@dataclass(frozen=True)
class FindingGroup:
    """A line of a file with its findings."""

    path: str
    line: int
    findings: Sequence[Diagnostic]
    excerpt: Sequence[SourceLine]


@dataclass(frozen=True)
class Bar:
    """A share of a whole: its name, the amount as text, and the percentage."""

    name: str
    text: str
    percent: float
    parts: Sequence[str] = ()


@dataclass(frozen=True)
class CaseView:
    """A case with the values that the page computes from it."""

    case: CaseResult
    package: str
    codes: Sequence[str]
    """The codes of its findings, each once."""
    places: Sequence[FindingGroup]
    checks: Sequence[CheckResult]
    """All but those in `skipped`."""
    skipped: Mapping[str, Sequence[str]]
    """The names of several checks that were skipped for the same reason, by that reason."""
    memory: Sequence[Bar]
    facts: Sequence[tuple[str, str, str]]
    """Figures of its cost: a title, the figure, and a remark."""
    intensity_percent: float | None
    """Position of its intensity on the scale; the device's own is at `device_percent`."""
    lines: Sequence[LineRecord]
    modules: Sequence[object]

    device_percent = 100 * _DECADES_BELOW / (_DECADES_BELOW + _DECADES_ABOVE)


def view(case: CaseResult, sources: SourceLines, texts: Texts) -> CaseView:
    """The data of a case for the page."""
    cost = case.cost
    skipped = _skipped_together(case.checks)
    return CaseView(
        case=case,
        package=package_of(case.name),
        codes=sorted({one.code for one in case.diagnostics}),
        places=places(case.diagnostics, sources),
        checks=[check for check in case.checks if not _is_skipped(check) or check.detail not in skipped],
        skipped=skipped,
        memory=[] if cost is None else _memory(cost),
        facts=[] if cost is None else list(_facts(cost)),
        intensity_percent=None if cost is None else _intensity(cost),
        lines=sorted(case.lines, key=lambda one: (-one.moved_bytes, one.path, one.line)),
        modules=rows(case.modules, texts),
    )


def _is_skipped(check: CheckResult) -> bool:
    return check.outcome is Status.SKIPPED


def _skipped_together(checks: Sequence[CheckResult]) -> dict[str, list[str]]:
    by_reason = defaultdict(list)
    for check in checks:
        if _is_skipped(check) and check.detail:
            by_reason[check.detail].append(check.name)
    return {reason: names for reason, names in by_reason.items() if len(names) >= _SEVERAL}


def places(diagnostics: Sequence[Diagnostic], sources: SourceLines) -> list[FindingGroup]:
    """The findings by line; the lines with the worst first, and in each line the worst first."""
    by_line = groupby(sorted(diagnostics), lambda one: (one.path, one.line))
    worst_first = [(path, line, sorted(group, key=_badness)) for (path, line), group in by_line]
    worst_first.sort(key=lambda place: _badness(place[2][0]))
    return [FindingGroup(path, line, found, _excerpt(found[0], sources)) for path, line, found in worst_first]


def _badness(diagnostic: Diagnostic) -> int:
    return list(Severity).index(diagnostic.severity)


def environment(report: RunReport) -> list[tuple[str, str]]:
    """Names and values, the nested ones as `flags.allow_tf32`; the command as a shell takes it."""
    found = dict(report.environment)
    if isinstance(found.get("command"), (list, tuple)):
        found["command"] = shlex.join(map(str, found["command"]))
    return list(flat(found))


def _excerpt(finding: Diagnostic, sources: SourceLines) -> list[SourceLine]:
    """The lines around it, dedented, without empty ones at the ends."""
    around = sources.around(finding.path, finding.line, _MARGIN)
    while around and not around[-1][1].strip():
        around.pop()
    while around and not around[0][1].strip():
        around.pop(0)
    cut = min((len(text) - len(text.lstrip()) for _, text in around if text.strip()), default=0)
    return [
        _marked(text, finding, cut) if number == finding.line else SourceLine(number, text[cut:])
        for number, text in around
    ]


def _marked(text: str, finding: Diagnostic, cut: int) -> SourceLine:
    start, end = marked_part(finding, text)
    start = max(start, cut)
    return SourceLine(finding.line, text[cut:start], text[start:end], text[max(start, end) :], highlighted=True)


def _memory(cost: Cost) -> list[Bar]:
    totals = {what: sum(by_dtype.values()) for what, by_dtype in cost.memory.items()}
    whole = sum(totals.values()) or 1
    return [
        Bar(
            what,
            figures.size(totals[what]),
            100 * totals[what] / whole,
            [f"{dtype} {figures.size(count)}" for dtype, count in by_dtype.items()],
        )
        for what, by_dtype in cost.memory.items()
    ]


def _facts(cost: Cost) -> Iterator[tuple[str, str, str]]:
    expected = "" if cost.expected_flops is None else f"{figures.count(cost.expected_flops)} by parameters and tokens"
    yield "FLOPs, forward", figures.count(cost.flops), expected
    if cost.backward_flops is not None:
        share = f"{figures.ratio(cost.backward_flops / cost.flops)} times forward" if cost.flops else ""
        yield "FLOPs, backward", figures.count(cost.backward_flops), share
    yield "bytes moved", figures.size(cost.moved_bytes), "if nothing is cached"
    device = "" if cost.device_intensity is None else f"device: {figures.ratio(cost.device_intensity)}"
    yield "FLOPs per byte", figures.ratio(cost.intensity), device
    if cost.seconds is not None:
        yield "time, forward", figures.duration(cost.seconds), "median"
    if cost.mfu is not None:
        yield "MFU", figures.share(cost.mfu), "of the device's peak arithmetic"
    if cost.peak_bytes is not None:
        yield "peak memory", figures.size(cost.peak_bytes), ""


def _intensity(cost: Cost) -> float | None:
    if not cost.device_intensity or cost.intensity <= 0:
        return None
    decades = math.log10(cost.intensity / cost.device_intensity) + _DECADES_BELOW
    return 100 * min(max(decades / (_DECADES_BELOW + _DECADES_ABOVE), 0.0), 1.0)
