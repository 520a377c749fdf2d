"""Runs the models on one device, each in worker processes of the harness."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.primer.verdicts import Diagnostic
from benchmarks.zoo.models import Group
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Target
from shapecheck.harness.cases.targets import Search, find_targets
from shapecheck.harness.results import CaseResult
from shapecheck.harness.run import ExecutionPlan, RunResult, run
from shapecheck.harness.run_options import RunOptions

_SITE = "site-packages"


@dataclass(frozen=True)
class Ran:
    """One device: the results of the models, and why some have none."""

    device: str
    cases: tuple[CaseResult, ...]
    problems: tuple[str, ...]
    seconds: float

    def of(self, library: str) -> list[CaseResult]:
        return [case for case in self.cases if case.name.startswith(f"{library}:")]


def run_models(listed: Sequence[Group], only: Collection[str], device: str, options: RunOptions, jobs: int) -> Ran:
    """The results of the models on one device. Raises TargetError if a library is not installed."""
    targets = [one for group in listed for one in _targets(group, only)]
    ran: RunResult = run(targets, replace(options, device=device), ExecutionPlan(jobs))
    missing = tuple(
        one for one in ran.problems if not any(one.startswith(f"{case.name}:") for case in ran.report.cases)
    )
    return Ran(device, ran.report.cases, missing, ran.report.seconds)


def _targets(group: Group, only: Collection[str]) -> Iterator[Target]:
    named = [f"{group.library}:{name}" for name in group.names]
    for target in find_targets([one for one in named if not only or one in only], Search()):
        yield replace(target, configured={target.only: {"": Declared(dims=group.dims)}})


def has_run(case: CaseResult) -> bool:
    """Whether forward returned a result for some inputs."""
    return bool(case.outputs)


def findings(runs: Sequence[Ran]) -> dict[str, list[Diagnostic]]:
    """By package, each finding once, with paths from the directory of the package."""
    found: dict[tuple[Any, ...], Diagnostic] = {}
    for ran in runs:
        for case in ran.cases:
            for one in case.diagnostics:
                plain = msgspec.to_builtins(replace(one, path=_within(one.path)))
                found.setdefault((plain["path"], one.line, one.column, one.code), plain)
    by_package: dict[str, list[Diagnostic]] = {}
    for one in found.values():
        by_package.setdefault(one["path"].partition("/")[0], []).append(one)
    return by_package


def _within(path: str) -> str:
    parts = Path(path).parts
    return "/".join(parts[parts.index(_SITE) + 1 :]) if _SITE in parts else path
