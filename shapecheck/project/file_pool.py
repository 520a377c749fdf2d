"""Worker processes for a run over many files, and recovery of the files of a worker that dies."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from shapecheck.project.parallel import FileTask

R = TypeVar("R")


class FilePool(Generic[R]):
    """Gives a few chunks at a time to worker processes, to know what a process was doing when it died."""

    def __init__(self, work: FileTask[R], jobs: int, chunks: list[list[Path]]) -> None:
        self._work = work
        self._jobs = jobs
        self._chunks = chunks
        # Large files first: the other processes would be idle while a last large one is processed.
        alone = [number for number, chunk in enumerate(chunks) if len(chunk) == 1]
        others = [number for number, chunk in enumerate(chunks) if len(chunk) > 1]
        self._queue = deque(alone + others)
        self._running: dict[Future[list[R]], int] = {}

    def results(self) -> Iterator[tuple[int, list[R]]]:
        """The number and results of each chunk, in the order in which they are ready."""
        while self._queue:
            try:
                with _executor(self._work, self._jobs) as executor:
                    yield from self._drain(executor)
            except BrokenProcessPool:
                yield from self._after_crash()

    def _drain(self, executor: ProcessPoolExecutor) -> Iterator[tuple[int, list[R]]]:
        while self._queue or self._running:
            while self._queue and len(self._running) < 2 * self._jobs:
                with _interrupts_blocked():
                    future = executor.submit(_do_chunk, self._chunks[self._queue[0]])
                self._running[future] = self._queue.popleft()
            finished, _ = wait(self._running, return_when=FIRST_COMPLETED)
            for future in finished:
                results = future.result()
                yield self._running.pop(future), results

    def _after_crash(self) -> Iterator[tuple[int, list[R]]]:
        """After a process has died, process the files that were under way one by one: one of them killed it."""
        running, self._running = self._running, {}
        for future, number in running.items():
            if future.done() and future.exception() is None:
                yield number, future.result()
            else:
                yield number, [self._run_alone(path) for path in self._chunks[number]]

    def _run_alone(self, path: Path) -> R:
        """Process a file in its own process, which it may kill."""
        try:
            with _executor(self._work, 1) as executor:
                results: list[R] = executor.submit(_do_chunk, [path]).result()
                return results[0]
        except BrokenProcessPool:
            return self._work.failed(path)


@contextmanager
def _executor(work: FileTask[Any], jobs: int) -> Iterator[ProcessPoolExecutor]:
    # A forked worker has the imports of this process; forking is unsafe on macOS and does not exist on Windows.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    if sys.platform == "linux":
        work.before()
    with ProcessPoolExecutor(jobs, context, _start_worker, (work,)) as executor:
        try:
            yield executor
        except BaseException:
            if not work.patient:
                for process in multiprocessing.active_children():
                    process.terminate()
            raise


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Delay Ctrl-C until all workers are set up and the pool is complete."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_do_file: Callable[[Path], Any] | None = None


def _start_worker(work: FileTask[Any]) -> None:
    global _do_file  # noqa: PLW0603 - how a process pool hands state to its tasks
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C also reaches the parent, which then stops its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if not work.cycles:
        gc.disable()
    _do_file = work.start()


def _end_with_parent() -> None:
    """End this process when its parent has ended, even by SIGKILL, which sends no notification."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do_chunk(paths: Sequence[Path]) -> list[Any]:
    assert _do_file is not None
    return [_do_file(path) for path in paths]
