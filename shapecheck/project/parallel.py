"""Runs a task for many files, in worker processes if that is faster; the results have the order of the files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from shapecheck.project.garbage import garbage_collection

R = TypeVar("R")
_FIRST = 6
"""How many times as large as the last chunks the first one is."""
_MOST_PROCESSES = 60
"""Windows waits on 63 handles at most."""


@dataclass(frozen=True)
class FileTask(Generic[R]):
    """What to do with each file. It must be picklable, because other processes receive it."""

    start: Callable[[], Callable[[Path], R]]
    """Called once in each process; returns a function that processes one file and never raises."""
    failed: Callable[[Path], R]
    """The result for a file that killed its process."""
    before: Callable[[], object] = bool
    """Called once before processes are forked, to import what they need."""
    cycles: bool = False
    """Whether it leaves garbage in reference cycles; searching trees for it takes a tenth of the time."""
    patient: bool = True
    """Whether Ctrl-C lets each process finish its current file, as required if files are written."""


def run_parallel(
    work: FileTask[R], files: Sequence[Path], jobs: int, worth_a_process: int, most_chunks: int
) -> Iterator[R]:
    """Process all files with up to `jobs` processes, and yield the results in order, as soon as they are available.

    worth_a_process: bytes of source below which a second process costs more than it saves.
    most_chunks: into how many parts the files are cut at most; more are distributed more evenly, fewer keep neighbors
        together.
    """
    sizes = [_size(path) for path in files]
    jobs = min(jobs, _MOST_PROCESSES, max(1, sum(sizes) // worth_a_process))
    if jobs == 1:
        with garbage_collection(work.cycles):
            yield from map(work.start(), files)
    else:
        from shapecheck.project.file_pool import FilePool  # noqa: PLC0415 - 25 ms that a run in one process does not need

        yield from _in_order(FilePool(work, jobs, chunks(files, sizes, most_chunks)).results())


def available_cores() -> int:
    """The number of processes that this machine can run in parallel."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def chunks(files: Sequence[Path], sizes: Sequence[int], most: int) -> list[list[Path]]:
    """Neighbors together, because they import the same modules; the first are the largest.

    Small ones at the end let the processes finish at about the same time.
    """
    left = sum(sizes)
    least = max(left // most, 1)
    limit = weight = 0
    found: list[list[Path]] = []
    for path, size in zip(files, sizes, strict=True):
        if not found or weight + size > limit:
            found.append([])
            left, weight = left - weight, 0
            limit = max(least, _FIRST * left // most)
        found[-1].append(path)
        weight += size
    return found


def _in_order(numbered: Iterator[tuple[int, list[R]]]) -> Iterator[R]:
    waiting: dict[int, list[R]] = {}
    due = 0
    for number, results in numbered:
        waiting[number] = results
        while due in waiting:
            yield from waiting.pop(due)
            due += 1
