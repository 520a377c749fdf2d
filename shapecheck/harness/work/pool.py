"""Runs tasks in worker processes, some at a time, each in a process of its own with limits."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from shapecheck.harness.cases.libraries.table import PRELOADED
from shapecheck.harness.formatting import format_bytes
from shapecheck.harness.work import child
from shapecheck.harness.work.limits import Limits
from shapecheck.harness.work.traces import ASK, place_in
from shapecheck.harness.work.usage import kill_family, kill_group, memory_of, memory_of_families

_WARM = "shapecheck.harness.work.preload"
_WARM_COMPILER = f"{_WARM}_compiler"
_WARM_COMPILED = f"{_WARM}_compiled"
_WARM_MODELS = f"{_WARM}_models"
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
    """A call in its own process. function: one of a module, which returns bytes. root: the program's directory."""

    function: Callable[..., bytes]
    arguments: tuple[Any, ...]
    limits: Limits = field(default_factory=Limits)
    root: Path = Path()


@dataclass(frozen=True)
class TaskResult:
    """The result of a task. content: what its function returned, None if it did not finish.

    reason: why it did not, as a verb phrase; place: the line of the program at that time, if known. advice:
    how to avoid that. is_fault: whether the function raised. printed: the output of the process.
    """

    content: bytes | None
    printed: str = ""
    reason: str = ""
    advice: str = ""
    is_fault: bool = False
    place: tuple[str, int] | None = None
    seconds: float = 0.0


class TaskPool:
    """Worker processes, as a context manager that ends all of them.

    jobs: how many run at a time. compiling: whether they import the compiler in advance; compiled: whether this
    also compiles a layer, for tasks that call torch.compile. imported: further modules that they import in advance.
    """

    def __init__(
        self, jobs: int, compiling: bool = False, imported: Sequence[str] = (), compiled: bool = False
    ) -> None:
        self._jobs = jobs
        warm = (_WARM, *((_WARM_COMPILER,) if compiling else ()), *((_WARM_COMPILED,) if compiled else ()))
        self._context = _context(warm, imported)
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
        """The index and the result of each task, in the order in which they finish."""
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
        """The result of a single task."""
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


def _context(warm: Sequence[str], imported: Sequence[str]) -> BaseContext:
    """Forks of a server that has imported torch; fresh processes where forks do not exist or are unsafe."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    _start_tracker()
    context = multiprocessing.get_context("forkserver")
    if not imported:
        context.set_forkserver_preload([*warm])
        return context
    context.set_forkserver_preload([*warm, _WARM_MODELS])
    with _environment({PRELOADED: " ".join(imported)}):
        forkserver.ensure_running()
    return context


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main program: a new process would import it without needing it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _start_tracker() -> None:
    """Start the process that removes the semaphores of ended processes, without a warning about each."""
    with _environment({"PYTHONWARNINGS": "ignore::UserWarning:multiprocessing.resource_tracker"}):
        resource_tracker.ensure_running()


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """A context with these environment variables, for a process that starts in it."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


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
        """The objects that `wait` waits for."""
        return [self.process.sentinel] if self.closed else [self.process.sentinel, self.connection]

    def poll(self, held: int) -> TaskResult | None:
        """The result; None while it runs. held: bytes of memory, 0 if unknown."""
        self._receive()
        if self.process.exitcode is not None:
            self._receive()
            return self._close(self._death(self.process.exitcode))
        if self.content is not None:
            return None
        limits = self.task.limits
        if limits.seconds is not None and time.monotonic() - self.began > limits.seconds:
            return self._stop(f"exceeded the time limit of {limits.seconds:g} s", "raise --timeout")
        if limits.memory_bytes is not None and held - self.at_first > limits.memory_bytes:
            most = format_bytes(limits.memory_bytes)
            return self._stop(f"exceeded the memory limit of {most}", "raise --memory or use --device fake")
        if _size(self.folder / "output") > _MOST_PRINTED:
            return self._stop(f"printed more than {format_bytes(_MOST_PRINTED)}")
        return None

    def kill(self) -> None:
        """End it and all processes that it started."""
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
            return f"failed inside shapecheck: {said}"
        after = f"; last line of its output: {said}" if said else ""
        if code < 0:
            why = ", possibly because the machine was out of memory" if _name(-code) == "SIGKILL" else ""
            return f"was killed by signal {-code} ({_name(-code)}){why}{after}"
        return f"exited with code {code}{after}"


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
