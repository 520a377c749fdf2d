"""Programs that are run, one process each, by `drive.py` in the interpreter of a tool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.rivals.tool import Finding, Said, report

DRIVE = Path(__file__).parents[1] / "drive.py"


def under(mode: str, environment: Callable[[], dict[str, str]] = dict) -> Callable[[Path, Path, Sequence[Path]], Said]:
    """A check that runs each program under `mode` of the driver."""

    def check(python: Path, root: Path, files: Sequence[Path]) -> Said:
        argv = [str(python), str(DRIVE), mode, *(str(path.resolve()) for path in files)]
        found = report(argv, root, environment())
        return {path: [Finding(*one) for one in found[str(path.resolve())]] for path in files}

    return check
