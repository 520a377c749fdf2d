"""The peak memory of a command with all of its processes, where pages that they share count once."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil

from benchmarks import measure

_EVERY = 0.25
"""Seconds between two samples; a sample takes milliseconds of the machine."""


def run(
    argv: Sequence[str], cwd: Path, stdout: Path | None = None, extra: Mapping[str, str] | None = None
) -> measure.Run:
    """As `measure.run`, with the largest sum of its processes as the peak, as far as the samples show it."""
    with _sampling() as sums:
        found = measure.run(argv, cwd, stdout, extra)
    # Linux counts the memory of this process at the fork as that of the command, so samples are better.
    return replace(found, peak_mb=max(sums, default=found.peak_mb))


@contextmanager
def _sampling() -> Iterator[list[float]]:
    """The sums, in megabytes, of the processes that this process starts from now on, and of those that they start."""
    sums: list[float] = []
    ended = threading.Event()
    own = psutil.Process()
    before = set(own.children(recursive=True))

    def sample() -> None:
        while not ended.wait(_EVERY):
            started = (one for one in own.children(recursive=True) if one not in before)
            if total := sum(map(_memory, started)):  # 0: all that were found have ended
                sums.append(total / 1e6)

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield sums
    finally:
        ended.set()
        thread.join()


def _memory(process: psutil.Process) -> int:
    """The share of a process in the memory that it uses, in bytes; 0 if it has ended.

    Where the system does not tell what processes share, it is all of the memory of the process.
    """
    try:
        full = process.memory_full_info()
    except psutil.AccessDenied:
        full = process.memory_info()
    except psutil.Error:
        return 0
    known = (getattr(full, name, 0) for name in ("pss", "uss", "rss"))
    return int(next(filter(None, known), 0))
