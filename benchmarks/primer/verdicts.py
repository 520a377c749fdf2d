"""The verdicts of `judged.toml`, and which findings they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from benchmarks.primer.packages import Package

JUDGED = Path(__file__).with_name("judged.toml")
INTERNAL = "internal-error"
Diagnostic = Mapping[str, Any]


class Verdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person decided about one finding. The message is not part of it, because wordings change."""

    package: str
    version: str
    path: str
    line: int
    code: str
    verdict: Literal["true", "pedantic", "false"]
    reason: Annotated[str, msgspec.Meta(pattern=r"\S")]
    column: int | None = None
    """Only needed if several findings of this code are in the line."""


class _Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    finding: list[Verdict] = []


def load(file: Path = JUDGED) -> list[Verdict]:
    return msgspec.toml.decode(file.read_bytes(), type=_Judged).finding


@dataclass(frozen=True, slots=True)
class Judgement:
    """The findings of one package, beside the verdicts about it."""

    judged: list[tuple[Diagnostic, Verdict]] = field(default_factory=list)
    unjudged: list[Diagnostic] = field(default_factory=list)
    internal: list[Diagnostic] = field(default_factory=list)
    disappeared: list[Verdict] = field(default_factory=list)
    """Verdicts about findings that are not reported any more."""

    def with_verdict(self, verdict: str) -> list[tuple[Diagnostic, Verdict]]:
        return [pair for pair in self.judged if pair[1].verdict == verdict]

    @property
    def passed(self) -> bool:
        return not (self.unjudged or self.internal or self.with_verdict("false"))


def about(package: Package, verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The verdicts about this version of the package."""
    return [one for one in verdicts if (one.package, one.version) == (package.name, package.version)]


def judge(diagnostics: Iterable[Diagnostic], verdicts: Sequence[Verdict]) -> Judgement:
    """Each verdict belongs to one finding of its path, line and code: that of its column, if it names one."""
    judgement = Judgement(disappeared=list(verdicts))
    ordered = sorted(diagnostics, key=lambda one: (one["path"], one["line"], one["column"], one["code"]))
    left = []
    for one in ordered:
        if one["code"] == INTERNAL:
            judgement.internal.append(one)
        elif not _take(judgement, one, one["column"]):
            left.append(one)
    judgement.unjudged.extend(one for one in left if not _take(judgement, one, None))
    return judgement


def _take(judgement: Judgement, diagnostic: Diagnostic, column: int | None) -> bool:
    """Whether a verdict with that column was left for the diagnostic, which now has it."""
    for verdict in judgement.disappeared:
        if _place(verdict) == (diagnostic["path"], diagnostic["line"], diagnostic["code"], column):
            judgement.disappeared.remove(verdict)
            judgement.judged.append((diagnostic, verdict))
            return True
    return False


def _place(verdict: Verdict) -> tuple[str, int, str, int | None]:
    return verdict.path, verdict.line, verdict.code, verdict.column


def known(diagnostic: Diagnostic, verdicts: Iterable[Verdict]) -> str:
    """The verdict about a finding, for a comparison; empty if there is none."""
    place = (diagnostic["path"], diagnostic["line"], diagnostic["code"])
    found = [one for one in verdicts if _place(one)[:3] == place and one.column in {None, diagnostic["column"]}]
    return found[0].verdict if found else ""
