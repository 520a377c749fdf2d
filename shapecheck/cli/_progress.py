"""A progress bar on terminals, shown after two seconds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

_PATIENCE = 2.0


class ProgressBar:
    """The number of finished files on standard error, if that is a terminal and the run takes long."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._shown: Progress | None = None
        self._ended = False
        self._lock = threading.Lock()

    def over(self, results: Iterable[T]) -> Iterator[T]:
        """Passes on `results`, and shows how many there were."""
        if not sys.stderr.isatty():
            yield from results
            return
        timer = threading.Timer(_PATIENCE, self._show)
        timer.daemon = True
        timer.start()
        try:
            for result in results:
                yield result
                self._advance()
        finally:
            timer.cancel()
            self._end()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Removes the bar while something is printed."""
        with self._lock:
            if self._shown is not None:
                self._shown.stop()
            yield
            if self._shown is not None:
                self._shown.start()

    def _show(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - 40 ms that a quick run saves
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415

        columns = (BarColumn(), MofNCompleteColumn(), "files", TimeRemainingColumn())
        with self._lock:
            if not self._ended:
                self._shown = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
                self._shown.add_task("", total=self._total, completed=self._done)
                self._shown.start()

    def _advance(self) -> None:
        with self._lock:
            self._done += 1
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], completed=self._done)

    def _end(self) -> None:
        with self._lock:
            self._ended = True
            if self._shown is not None:
                self._shown.stop()
                self._shown = None


def with_progress(results: Iterable[T], total: int) -> Iterator[T]:
    """Pass on `results`; if they take long and standard error is a terminal, show the progress there."""
    return ProgressBar(total).over(results)
