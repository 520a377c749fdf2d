"""Checks many files, in one process or several: the findings do not depend on how many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from shapecheck.diagnostics import CODES, Diagnostic
from shapecheck.ops.families import load
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.parallel import FileTask, run_parallel
from shapecheck.static.entry.checker import Checker

_WORTH_A_PROCESS = 40_000 if sys.platform == "linux" else 400_000
"""Bytes of source below which another process costs more than it saves; one that is not forked imports the package."""
_CHUNKS_A_PROCESS = 32
"""At most; the first are larger, because each process runs the modules that its files import, which neighbors share."""


def check_in_parallel(
    files: Sequence[Path],
    roots: Sequence[Path],
    codes: frozenset[str],
    jobs: int,
    asked: Sequence[Path],
    libraries: Sequence[Path] = (),
) -> Iterator[FileOutcome]:
    """The outcome of each file, in order; findings are reported in the files of `asked`.

    `codes` are those whose rules are called.
    """
    work = FileTask(partial(_checker, asked, roots, codes, libraries), _lost, before=load, patient=False)
    return run_parallel(work, files, jobs, _WORTH_A_PROCESS, _CHUNKS_A_PROCESS * jobs)


def _checker(
    files: Sequence[Path], roots: Sequence[Path], codes: frozenset[str], libraries: Sequence[Path]
) -> Callable[[Path], FileOutcome]:
    checker = Checker(files, roots, codes, libraries=libraries)
    return partial(checker.outcome, asked={display_path(path) for path in files})


def _lost(path: Path) -> FileOutcome:
    display = display_path(path)
    message = "skipped: the system killed its process (out of memory?)"
    fault = Diagnostic(display, 1, 1, 1, 1, "internal-error", CODES["internal-error"].severity, message)
    return FileOutcome(path, [fault], whole=False)
