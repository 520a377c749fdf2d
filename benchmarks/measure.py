"""Running a command with its time and peak memory, medians, and tables of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
SHAPECHECK = (sys.executable, "-m", "shapecheck")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command."""

    seconds: float
    cpu_seconds: float
    """Of all its processes."""
    peak_mb: float
    """Of its largest process."""
    status: int


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment, with the checkout importable and no terminal niceties."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    # Without bytecode on disk every start would be measured with the compilation of the package.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": path, "NO_COLOR": "1", "TERM": "dumb", **(extra or {})}


def run(argv: Sequence[str], cwd: Path, stdout: Path | None = None, extra: Mapping[str, str] | None = None) -> Run:
    """Run `argv` to its end; its output is thrown away, or goes to `stdout`. Needs `os.wait4`, so no Windows."""
    with open(stdout or os.devnull, "wb") as out:  # noqa: PTH123 - the null device has no use for Path
        began = time.perf_counter()
        process = subprocess.Popen(
            argv, cwd=cwd, env=environment(extra), stdin=subprocess.DEVNULL, stdout=out, stderr=out
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    peak = usage.ru_maxrss * unit / 1e6
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak, process.returncode)


@dataclass(frozen=True, slots=True)
class Summary:
    """Medians over the rounds of one contestant."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    rounds: int
    statuses: tuple[int, ...]


def summarise(runs: Sequence[Run]) -> Summary:
    """Median times, the largest peak, and which exit codes were seen."""
    return Summary(
        seconds=median(run.seconds for run in runs),
        cpu_seconds=median(run.cpu_seconds for run in runs),
        peak_mb=max(run.peak_mb for run in runs),
        rounds=len(runs),
        statuses=tuple(sorted({run.status for run in runs})),
    )


def table(rows: Sequence[Sequence[object]]) -> str:
    """`rows` in columns; the first row is the head."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = [_table_row(row, widths) for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _table_row(row: Sequence[str], widths: Sequence[int]) -> str:
    numbers = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return "  ".join([row[0].ljust(widths[0]), *numbers]).rstrip()
