"""A whole run of the fixers: many files over worker processes, the results in the order of the files."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from shapecheck.fix.model import FileResult, FixOptions
from shapecheck.fix.one_file import FileFixer

_WORTH_A_PROCESS = 200_000
"""Bytes of source below which a second process costs more than it saves."""
_MOST_CHUNKS = 200
_MOST_PROCESSES = 60
"""Windows waits on 63 handles at most."""


def run(files: Sequence[Path], project_roots: Sequence[Path], options: FixOptions, jobs: int) -> Iterator[FileResult]:
    """Fix `files` with `jobs` processes, and yield a result for each, in their order, as soon as may be.

    Nothing is raised for one file's sake: one that breaks a fixer, or even its process, has a failed result.
    """
    setup = (files, project_roots, options)
    sizes = [_size(path) for path in files]
    jobs = min(jobs, _MOST_PROCESSES, max(1, sum(sizes) // _WORTH_A_PROCESS))
    if jobs == 1:
        with _no_garbage_collection():
            yield from map(FileFixer(*setup).fix, files)
    else:
        from shapecheck.fix.pool import Pool  # noqa: PLC0415 - 25 ms that a run in one process does not need

        yield from _in_order(Pool(setup, jobs, _chunks(files, sizes)).results())


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Trees are large and free of cycles: looking for garbage among them takes most of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _chunks(files: Sequence[Path], sizes: Sequence[int]) -> list[list[Path]]:
    """Neighbours together, for they import the same things; all of like weight, but for very large files."""
    limit = max(sum(sizes) // _MOST_CHUNKS, 1)
    chunks: list[list[Path]] = []
    weight = limit
    for path, size in zip(files, sizes, strict=True):
        if weight + size > limit:
            chunks.append([])
            weight = 0
        chunks[-1].append(path)
        weight += size
    return chunks


def _in_order(numbered: Iterator[tuple[int, list[FileResult]]]) -> Iterator[FileResult]:
    waiting: dict[int, list[FileResult]] = {}
    due = 0
    for number, results in numbered:
        waiting[number] = results
        while due in waiting:
            yield from waiting.pop(due)
            due += 1
