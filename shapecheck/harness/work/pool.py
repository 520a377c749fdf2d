"""Runs tasks in worker processes, some at a time, each in a process of its own with limits."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from shapecheck.harness.formatting import format_bytes
from shapecheck.harness.work import child
from shapecheck.harness.work.limits import Limits
from shapecheck.harness.work.traces import ASK, place_in
from shapecheck.harness.work.usage import kill_family, kill_group, memory_of, memory_of_families

_WARM = "shapecheck.harness.work.preload"
_WARM_COMPILER = f"{_WARM}_compiler"
_TICK = 0.2
"""Seconds between two looks at the time that processes take."""
_MEMORY_TICK = 0.5
"""The same for their memory, which costs more to look at."""
_MOST_PRINTED = 256 * 1024**2
_KEPT = 64 * 1024
"""Bytes of what a process prints: when it is ended, and how much of the end is kept."""
_PATIENCE = 0.5
"""Seconds in which a process may say where it is before it is killed."""


@dataclass(frozen=True)
class Task:
    """A call in a process of its own. function: one of a module, which gives bytes. root: where the program lies."""

    function: Callable[..., bytes]
    arguments: tuple[Any, ...]
    limits: Limits = field(default_factory=Limits)
    root: Path = Path()


@dataclass(frozen=True)
class TaskResult:
    """What a task came to. content: what its function gave, None where it did not come to its end.

    reason: why it did not, in words; place: the line of the program where that was, as far as it is known. advice:
    what may be done about it. is_fault: whether the function raised. printed: what the process printed.
    """

    content: bytes | None
    printed: str = ""
    reason: str = ""
    advice: str = ""
    is_fault: bool = False
    place: tuple[str, int] | None = None
    seconds: float = 0.0


class TaskPool:
    """Worker processes. Use it as a context: at its end, none of them is left.

    jobs: how many run at a time. compiling: whether they are to have the compiler from the start.
    """

    def __init__(self, jobs: int, compiling: bool = False) -> None:
        self._jobs = jobs
        self._context = _context(compiling)
        self._folder = tempfile.TemporaryDirectory(prefix="shapecheck-", ignore_cleanup_errors=True)
        self._running: dict[int, _Running] = {}

    def __enter__(self) -> TaskPool:
        return self

    def __exit__(self, *_: object) -> None:
        for running in self._running.values():
            running.kill()
        self._running.clear()
        self._folder.cleanup()

    def do(
        self, tasks: Sequence[Task], started: Callable[[int], object] = lambda index: None
    ) -> Iterator[tuple[int, TaskResult]]:
        """Each task's index and what it came to, in whatever order they are ready."""
        todo = list(enumerate(tasks))[::-1]
        look_at = time.monotonic() + _MEMORY_TICK
        while todo or self._running:
            while todo and len(self._running) < self._jobs:
                index, task = todo.pop()
                self._running[index] = self._start(task)
                started(index)
            wait([one for running in self._running.values() for one in running.waitables()], _TICK)
            held: dict[int, int] = {}
            if time.monotonic() > look_at:
                held = memory_of_families([running.pid for running in self._running.values()])
                look_at = time.monotonic() + _MEMORY_TICK
            for index, running in list(self._running.items()):
                task_result = running.poll(held.get(running.pid, 0))
                if task_result is not None:
                    del self._running[index]
                    yield index, task_result

    def one(self, task: Task) -> TaskResult:
        """What a single task comes to."""
        return next(task_result for _, task_result in self.do([task]))

    def _start(self, task: Task) -> _Running:
        folder = Path(tempfile.mkdtemp(dir=self._folder.name))
        ours, theirs = self._context.Pipe(duplex=False)
        arguments = (theirs, str(folder), task.function, task.arguments, task.limits)
        process = self._context.Process(target=child.main, args=arguments)  # type: ignore[attr-defined]
        with _without_main():
            process.start()
        theirs.close()
        return _Running(task, process, ours, folder)


def _context(compiling: bool) -> BaseContext:
    """Forks of a server that has torch; fresh processes where forks are not there, or not safe beside its libraries."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    _start_tracker()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([_WARM, _WARM_COMPILER] if compiling else [_WARM])
    return context


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program that runs this: a new process would import it, though nothing that it does comes from there."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _start_tracker() -> None:
    """Start what removes the semaphores of processes that were ended, and let it do so without a word about each."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = "ignore::UserWarning:multiprocessing.resource_tracker"
    try:
        resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


@dataclass
class _Running:
    task: Task
    process: BaseProcess
    connection: Connection
    folder: Path
    began: float = field(default_factory=time.monotonic)
    content: bytes | None = None
    closed: bool = False

    def __post_init__(self) -> None:
        self.at_first = memory_of(self.pid)

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def waitables(self) -> list[Any]:
        """What `wait` waits for."""
        return [self.process.sentinel] if self.closed else [self.process.sentinel, self.connection]

    def poll(self, held: int) -> TaskResult | None:
        """What it came to; None while it goes on. held: bytes of memory, 0 where they are not known."""
        self._receive()
        if self.process.exitcode is not None:
            self._receive()
            return self._close(self._death(self.process.exitcode))
        if self.content is not None:
            return None
        limits = self.task.limits
        if limits.seconds is not None and time.monotonic() - self.began > limits.seconds:
            return self._stop(f"it took more than {limits.seconds:g} s", "--timeout raises the limit")
        if limits.memory_bytes is not None and held - self.at_first > limits.memory_bytes:
            most = format_bytes(limits.memory_bytes)
            return self._stop(
                f"it took more than {most} of memory", "--memory raises the limit, --device fake needs less"
            )
        if _size(self.folder / "output") > _MOST_PRINTED:
            return self._stop(f"it printed more than {format_bytes(_MOST_PRINTED)}")
        return None

    def kill(self) -> None:
        """End it and all that it started."""
        kill_family(self.pid)
        self.process.join()

    def _receive(self) -> None:
        try:
            if not self.closed and self.connection.poll():
                self.content = self.connection.recv_bytes()
                self.closed = True
        except (EOFError, OSError):
            self.closed = True

    def _stop(self, reason: str, advice: str = "") -> TaskResult:
        self._request_traceback()
        self.kill()
        return self._close(reason, advice)

    def _request_traceback(self) -> None:
        if ASK is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self.pid, ASK)
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until and not _size(self.folder / "trace"):
            time.sleep(0.01)
        time.sleep(0.05)  # the rest of the trace

    def _close(self, reason: str, advice: str = "") -> TaskResult:
        self.connection.close()
        self.process.join()
        kill_group(self.pid)
        seconds = time.monotonic() - self.began
        printed = _text(self.folder / "output")
        if self.content is not None:
            return TaskResult(self.content, printed, seconds=seconds)
        place = place_in(self.folder / "trace", self.task.root)
        is_fault = self.process.exitcode == child.FAULT
        return TaskResult(None, printed, reason, advice, is_fault, place, seconds)

    def _death(self, code: int) -> str:
        said = _last_line(_text(self.folder / "output"))
        if code == child.FAULT:
            return f"shapecheck failed in it: {said}"
        after = f"; the last line it printed is: {said}" if said else ""
        if code < 0:
            why = ", perhaps because the machine was out of memory" if _name(-code) == "SIGKILL" else ""
            return f"its process died with signal {-code} ({_name(-code)}){why}{after}"
        return f"its process ended by itself, with exit code {code}{after}"


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _text(file: Path) -> str:
    """The end of a file."""
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, _size(file) - _KEPT))
            return stream.read().decode(errors="replace")
    except OSError:
        return ""


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1].strip()[:200]
