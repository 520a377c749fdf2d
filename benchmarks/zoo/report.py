"""What is printed: how many models of each library ran, why others did not, and the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import measure
from benchmarks.primer.entries import entries
from benchmarks.primer.verdicts import Judgement
from benchmarks.zoo.running import Ran, has_run
from shapecheck.harness.results import CaseResult


@dataclass(frozen=True)
class Package:
    """A library in the version that was run."""

    name: str
    version: str


def table(runs: Sequence[Ran], libraries: Sequence[str]) -> str:
    """By library and device: how many models ran."""
    rows = [("library", "device", "models", "ran", "share")]
    for library in libraries:
        for ran in runs:
            cases = ran.of(library)
            count = sum(map(has_run, cases))
            total = len(cases) + sum(one.startswith(f"{library}:") for one in ran.problems)
            rows.append((library, ran.device, str(total), str(count), f"{100 * count / max(total, 1):.0f} %"))
    return measure.table(rows)


def not_run(runs: Sequence[Ran]) -> Iterator[str]:
    """The models that did not run, with the reason."""
    for ran in runs:
        for case in ran.cases:
            if not has_run(case):
                yield f"not run on {ran.device}: {case.name}: {_reason(case)}"
        yield from (f"not run on {ran.device}: {one}" for one in ran.problems)


def _reason(case: CaseResult) -> str:
    return case.detail or "; ".join(one.message for one in case.diagnostics)


def attention(judged: Mapping[Package, Judgement]) -> Iterator[str]:
    """Each finding with its verdict, those without a verdict last."""
    for package, judgement in judged.items():
        for one, verdict in judgement.judged:
            yield f"{verdict.verdict}: {_text(one)} ({verdict.reason})"
        for gone in judgement.disappeared:
            yield f"disappeared: {package.name} {gone.path}:{gone.line} {gone.code} ({gone.reason})"
    for judgement in judged.values():
        yield from (f"unjudged: {_text(one)}" for one in [*judgement.internal, *judgement.unjudged])


def _text(one: Mapping[str, Any]) -> str:
    place = f"{one['path']}:{one['line']}:{one['column']}"
    return f"{place} {one['severity']} {one['code']}: {' '.join(one['message'].split())} [{one['case']}]"


def totals(judged: Mapping[Package, Judgement]) -> str:
    """The number of findings by verdict."""
    counted = Counter(verdict.verdict for one in judged.values() for _, verdict in one.judged)
    unjudged = sum(len(one.unjudged) + len(one.internal) for one in judged.values())
    verdicts = ", ".join(f"{counted[name]} {name}" for name in ("true", "pedantic", "false"))
    return f"findings: {verdicts}, {unjudged} unjudged"


def to_add(judged: Mapping[Package, Judgement]) -> list[str]:
    """The entries that `judged.toml` lacks."""
    return [entry for package, one in judged.items() for entry in entries(package, [*one.internal, *one.unjudged])]
