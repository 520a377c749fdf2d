"""Running `check` of one revision on one directory."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import measure
from benchmarks.check_runs.sources import Sources

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
    """A run of `check` from `tree`, without its cache. With `stats` it takes one process, otherwise two.

    Its environment has no libraries, so that verdicts do not depend on what is installed.
    """
    options = ["--stats"] if stats else []
    command = [sys.executable, "-m", "shapecheck", "check", "--no-cache", "--quiet", "--jobs", _JOBS, *options]
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        report, log = Path(folder, "report.json"), Path(folder, "log.txt")
        argv = [*command, "--output", str(report), sources.path]
        run = measure.run(argv, sources.folder, log, {"PYTHONPATH": str(tree), "VIRTUAL_ENV": folder})
        document = _document(report)
        if document is None:
            said = log.read_text(errors="replace")[-2000:]
            raise CheckFailed(f"check of {sources.path} by {tree} ended with status {run.status}\n{said}")
    return Result(
        files=document["summary"]["files"]["seen"],
        diagnostics=[_relative(one, sources.prefix) for one in document["diagnostics"]],
        seconds=run.seconds,
        cpu_seconds=run.cpu_seconds,
        stats=_relative_stats(document.get("stats"), sources.prefix),
    )


def _document(report: Path) -> Any:
    try:
        return json.loads(report.read_text())
    except (OSError, ValueError):
        return None


def _relative(diagnostic: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The diagnostic with its own path, and those of its notes, without `prefix`."""
    changed = {name: value.removeprefix(prefix) for name, value in diagnostic.items() if name == "path"}
    notes = [_relative(one, prefix) if isinstance(one, dict) else one for one in diagnostic.get("notes", [])]
    return {**diagnostic, **changed, **({"notes": notes} if notes else {})}


def _relative_stats(stats: dict[str, Any] | None, prefix: str) -> dict[str, Any] | None:
    if stats and "cut short" in stats:
        return {**stats, "cut short": [path.removeprefix(prefix) for path in stats["cut short"]]}
    return stats
