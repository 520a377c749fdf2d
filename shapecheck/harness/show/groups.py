"""The findings of a report by code and package: the overview of a run of many models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from shapecheck.diagnostics import Diagnostic, Severity

_FEW = 10
"""Up to this many findings are read without an overview."""
_MOST_ROWS = 40


@dataclass(frozen=True)
class FindingsOfPackage:
    """The findings with one code in one package. cases: how many have one; places: how many lines."""

    code: str
    severity: Severity
    package: str
    findings: int
    cases: int
    places: int
    path: str
    """With `line`, that of most of the findings."""
    line: int


def package_of(case: str, path: str = "") -> str:
    """The package or library of a case, `timm` of `timm:resnet18`; the directory of a file outside packages.

    Of findings without a case, the directory of their file.
    """
    module = case.partition(":")[0]
    if module and not module.endswith(".py"):
        return module.partition(".")[0]
    file = PurePath(module or path)
    return file.parent.name or file.stem


def groups_of(diagnostics: Iterable[Diagnostic]) -> list[FindingsOfPackage]:
    """The groups, those with the most severe findings and then those with the most cases first."""
    found: dict[tuple[str, str], list[Diagnostic]] = {}
    for one in diagnostics:
        found.setdefault((one.code, package_of(one.case, one.path)), []).append(one)
    groups = [_group(package, several) for (_, package), several in found.items()]
    return sorted(groups, key=lambda one: (_badness(one), -one.cases, -one.findings, one.code, one.package))


def _group(package: str, several: Sequence[Diagnostic]) -> FindingsOfPackage:
    places = Counter((one.path, one.line) for one in several)
    ((path, line), _), *_ = places.most_common(1)
    worst = min((one.severity for one in several), key=list(Severity).index)
    cases = len({one.case for one in several if one.case})
    return FindingsOfPackage(several[0].code, worst, package, len(several), cases, len(places), path, line)


def _badness(group: FindingsOfPackage) -> int:
    return list(Severity).index(group.severity)


def rows_of_markdown(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """The overview as a table; none for a few findings."""
    groups = groups_of(diagnostics)
    if len(diagnostics) <= _FEW:
        return
    yield "| severity | code | package | findings | cases |"
    yield "|---|---|---|---:|---:|"
    for one in groups[:_MOST_ROWS]:
        package = one.package.replace("`", "'").replace("|", "/")
        yield f"| {one.severity.value} | `{one.code}` | `{package}` | {one.findings:,} | {one.cases:,} |"
    left = groups[_MOST_ROWS:]
    if left:
        yield f"| | {len(left):,} more rows | | {sum(one.findings for one in left):,} | |"
