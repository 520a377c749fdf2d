"""Running `check` of one revision on one target."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import measure
from benchmarks.compare_revisions.targets import Sources

_JOBS = "2"


class CheckFailed(Exception):
    """`check` ended without a report."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one revision reported, and what that took."""

    files: int
    diagnostics: list[dict[str, Any]]
    seconds: float
    cpu_seconds: float
    stats: dict[str, Any] | None = None
    reused: bool = False


def check(tree: Path, sources: Sources, scratch: Path, *, stats: bool) -> Result:
    """A run of `check` from `tree`, without its cache. With `stats` it takes one process, otherwise two."""
    report, log = scratch / "report.json", scratch / "log.txt"
    report.unlink(missing_ok=True)
    options = ["--stats"] if stats else []
    command = [sys.executable, "-m", "shapecheck", "check", "--no-cache", "--quiet", "--jobs", _JOBS, *options]
    argv = [*command, "--output", str(report), sources.path]
    run = measure.run(argv, sources.folder, log, {"PYTHONPATH": str(tree)})
    document = _document(report)
    if document is None:
        raise CheckFailed(f"check of {tree} ended with status {run.status}\n{log.read_text()[-2000:]}")
    return Result(
        files=document["summary"]["files"]["seen"],
        diagnostics=document["diagnostics"],
        seconds=run.seconds,
        cpu_seconds=run.cpu_seconds,
        stats=document.get("stats"),
    )


def _document(report: Path) -> Any:
    try:
        return json.loads(report.read_text())
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class Difference:
    """Diagnostics that only one side reported."""

    added: list[dict[str, Any]]
    removed: list[dict[str, Any]]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def difference(base: Result, head: Result) -> Difference:
    """Compares every field: place, code, severity, message, notes and fixes."""
    before, after = _counted(base.diagnostics), _counted(head.diagnostics)
    return Difference(list(_elements(after - before)), list(_elements(before - after)))


def _counted(diagnostics: Iterable[Mapping[str, Any]]) -> Counter[str]:
    return Counter(json.dumps(one, sort_keys=True) for one in diagnostics)


def _elements(counted: Counter[str]) -> Iterator[dict[str, Any]]:
    found = [json.loads(one) for one in counted.elements()]
    return iter(sorted(found, key=lambda one: (one["path"], one["line"], one["column"], one["code"])))
