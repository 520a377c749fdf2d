"""Runs a task for many files, in worker processes where that pays; results come in the order of the files."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

R = TypeVar("R")
_MOST_PROCESSES = 60
"""Windows waits on 63 handles at most."""


@dataclass(frozen=True)
class FileTask(Generic[R]):
    """What is done to each file. It goes to other processes, and so must what it is made of."""

    start: Callable[[], Callable[[Path], R]]
    """Called once in each process: gives what does one file and never raises for the file's sake."""
    failed: Callable[[Path], R]
    """The result for a file whose process died of it."""
    before: Callable[[], object] = bool
    """Called once before there are several processes: imports that a forked one then has."""
    cycles: bool = False
    """Whether it leaves garbage in reference cycles; looking for that among trees takes a tenth of the time."""
    patient: bool = True
    """Whether Ctrl-C lets each process end what it is at, as it must where files are written."""


def run_parallel(
    work: FileTask[R], files: Sequence[Path], jobs: int, worth_a_process: int, most_chunks: int
) -> Iterator[R]:
    """Do all files with up to `jobs` processes, and yield a result for each, in their order, as soon as may be.

    worth_a_process: bytes of source below which a second process costs more than it saves.
    most_chunks: into how many parts the files are cut; more are spread more evenly, fewer keep neighbours together.
    """
    sizes = [_size(path) for path in files]
    jobs = min(jobs, _MOST_PROCESSES, max(1, sum(sizes) // worth_a_process))
    if jobs == 1:
        with _garbage_collection(work.cycles):
            yield from map(work.start(), files)
    else:
        from shapecheck.project.file_pool import FilePool  # noqa: PLC0415 - 25 ms that a run in one process does not need

        yield from _in_order(FilePool(work, jobs, chunks(files, sizes, most_chunks)).results())


def available_cores() -> int:
    """How many processes this machine lets us run at a time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _garbage_collection(wanted: bool) -> Iterator[None]:
    was_enabled = gc.isenabled()
    if not wanted:
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


def chunks(files: Sequence[Path], sizes: Sequence[int], most: int) -> list[list[Path]]:
    """Neighbours together, for they import the same things; all of like weight, but for very large files."""
    limit = max(sum(sizes) // most, 1)
    found: list[list[Path]] = []
    weight = 0
    for path, size in zip(files, sizes, strict=True):
        if not found or weight + size > limit:
            found.append([])
            weight = 0
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
