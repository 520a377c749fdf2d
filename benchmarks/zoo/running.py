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
_LIMIT = "ended-run"
"""The code of what exceeds a limit: it is counted as not run, and is no finding about the model."""


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
                if one.code != _LIMIT:
                    path = _within(one.path, case)
                    key = (path, one.line, one.column, one.code)
                    found.setdefault(key, msgspec.to_builtins(replace(one, path=path)))
    by_package: dict[str, list[Diagnostic]] = {}
    for plain in found.values():
        by_package.setdefault(plain["path"].partition("/")[0], []).append(plain)
    return by_package


def _within(path: str, case: CaseResult) -> str:
    """The path from the directory of packages; what is in none of them counts as of the library."""
    parts = Path(path).parts
    inside = parts[parts.index(_SITE) + 1 :] if _SITE in parts else (case.name.partition(":")[0], Path(path).name)
    return "/".join(inside)
