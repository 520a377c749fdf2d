"""A progress bar for the cases of a run, on standard error where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from shapecheck.harness.results import Status

_MOST_NAMES = 3


class Advance(Protocol):
    """Progress of a run. Call it when a case is done."""

    def __call__(self, case: str, outcome: Status) -> None:
        """Count a case that is done."""

    def started(self, case: str) -> None:
        """Show a case as running."""


class _Silent:
    def __call__(self, case: str, outcome: Status) -> None:
        pass

    def started(self, case: str) -> None:
        pass


@dataclass
class _Bar:
    progress: Progress
    total: int
    running: dict[str, None] = field(default_factory=dict)
    bad: int = 0

    def __post_init__(self) -> None:
        self._task = self.progress.add_task("", total=self.total, said="")

    def __call__(self, case: str, outcome: Status) -> None:
        self.running.pop(case, None)
        self.bad += outcome in (Status.FAILED, Status.ENDED)
        self.progress.update(self._task, advance=1, said=self._summary())

    def started(self, case: str) -> None:
        self.running[case] = None
        self.progress.update(self._task, said=self._summary())

    def _summary(self) -> str:
        names = [escape(name) for name in self.running]
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        bad = f"[red]{self.bad} failed[/]  " if self.bad else ""
        return f"{bad}[dim]{', '.join(names[:_MOST_NAMES])}{more}[/]"


@contextmanager
def progress(total: int, console: Console | None = None) -> Iterator[Advance]:
    """Show how many of `total` cases are done and which ones are running; the bar disappears at the end."""
    console = console or Console(stderr=True, file=sys.stderr)
    if not console.is_terminal or not total:
        yield _Silent()
        return
    columns = (
        SpinnerColumn(),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[said]}"),
    )
    with Progress(*columns, console=console, transient=True) as shown:
        yield _Bar(shown, total)
