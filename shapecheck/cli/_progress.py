"""A progress bar on terminals, shown after one second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

_PATIENCE = 1.0


def with_progress(results: Iterable[T], total: int) -> Iterator[T]:
    """Pass on `results`; if they take long and standard error is a terminal, show the progress there."""
    if not sys.stderr.isatty():
        yield from results
        return
    results = iter(results)
    give_up = time.monotonic() + _PATIENCE
    for done, result in enumerate(results, 1):
        yield result
        if time.monotonic() > give_up:
            yield from _with_bar(results, done, total)


def _with_bar(results: Iterator[T], done: int, total: int) -> Iterator[T]:
    from rich.console import Console  # noqa: PLC0415 - 40 ms that a quick run saves
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415

    columns = (BarColumn(), MofNCompleteColumn(), "files", TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total, completed=done)
        for result in results:
            yield result
            progress.advance(task)
