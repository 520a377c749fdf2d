"""A run of the fixers: many files in worker processes, with the results in the order of the files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from shapecheck.fix.model import FileResult, FixOptions
from shapecheck.fix.one_file import FileFixer, failure
from shapecheck.project.files import display_path
from shapecheck.project.parallel import FileTask, run_parallel

_WORTH_A_PROCESS = 200_000
_MOST_CHUNKS = 200


def run(files: Sequence[Path], project_roots: Sequence[Path], options: FixOptions, jobs: int) -> Iterator[FileResult]:
    """Fix `files` with `jobs` processes, and yield a result for each, in their order, as soon as it is available.

    No file raises an exception: a file that crashes a fixer, or even its process, has a failed result.
    """
    work = FileTask(partial(_fixer, files, project_roots, options), _lost, before=_engine)
    return run_parallel(work, files, jobs, _WORTH_A_PROCESS, _MOST_CHUNKS)


def _engine() -> None:
    import shapecheck.fix.engine  # noqa: F401, PLC0415


def _fixer(files: Sequence[Path], roots: Sequence[Path], options: FixOptions) -> Callable[[Path], FileResult]:
    return FileFixer(files, roots, options).fix


def _lost(path: Path) -> FileResult:
    message = "skipped: the system killed its process (out of memory?)"
    return failure(display_path(path), "internal-error", message)
