"""The loop of the worker: one thread reads requests, the main thread answers them in order."""

from __future__ import annotations

import gc
import sys
import threading
import traceback
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

from shapecheck.lsp.messages import (
    Answer,
    Changed,
    CheckRequest,
    Question,
    Reply,
    Report,
    Request,
    Text,
    decode_request,
    encode,
)
from shapecheck.lsp.worker.interruption import Interruptible
from shapecheck.lsp.worker.memory import megabytes
from shapecheck.lsp.worker.report import report
from shapecheck.lsp.worker.workspace import Workspace
from shapecheck.ops.families import load

_IDLE = 1.0
"""Seconds without a request after which garbage is collected."""
_REPORTS = 20
"""Reports after which garbage is collected in any case."""


def main() -> None:
    """Answers the requests on standard input until it ends."""
    output = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but replies
    load()
    gc.collect()
    gc.freeze()
    gc.disable()
    Worker(sys.stdin.buffer, output).serve()


class Worker:
    """Answers requests in order."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self._requests = requests
        self._replies = replies
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._newest: dict[str, Text] = {}
        """The last text that was read, by path; it may still be in the queue."""
        self._present: dict[str, Text] = {}
        self._workspace = Workspace()
        self._work = Interruptible()
        self._is_clean = True
        self._reports = 0

    def serve(self) -> None:
        """Runs until there are no more requests."""
        threading.Thread(target=self._read, daemon=True).start()
        while (one := self._next()) is not None:
            self._answer(one)

    def _read(self) -> None:
        for line in self._requests:
            request = decode_request(line)
            if isinstance(request, Text):
                self._newest[request.path] = request
                self._work.interrupt(request.path)
            self._queue.put(request)
        self._queue.put(None)

    def _next(self) -> Request | None:
        try:
            return self._queue.get(timeout=None if self._is_clean else _IDLE)
        except Empty:
            gc.collect()
            self._is_clean = True
            return self._queue.get()

    def _answer(self, request: Request) -> None:
        if isinstance(request, Text):
            self._present[request.path] = request
            self._workspace.put(Path(request.path), request.text)
        elif isinstance(request, Changed):
            self._workspace.reload()
        elif isinstance(request, CheckRequest):
            self._is_clean = False
            self._send(self._checked(request))
            self._reports += 1
            if self._reports % _REPORTS == 0:
                gc.collect()
        else:
            self._is_clean = False
            self._send(self._ask(request))

    def _checked(self, request: CheckRequest) -> Report:
        """The report; a complete one may be interrupted, because the one before it is still there.

        If a newer text waits, so will a request for a report about it.
        """
        if self._newest[request.path] is not self._present[request.path]:
            return Report(request.id, request.path, is_interrupted=True)
        project = self._workspace.project_of(Path(request.path))
        if request.is_quick or Path(request.path) not in project.analyses:
            return self._report(request)
        made = self._work.run(request.path, partial(self._report, request))
        return made or Report(request.id, request.path, is_interrupted=True)

    def _report(self, request: CheckRequest) -> Report:
        try:
            made = report(self._workspace.project_of(Path(request.path)), request)
        except Exception:
            made = Report(request.id, request.path, fault=traceback.format_exc())
        made.megabytes = megabytes()
        return made

    def _ask(self, question: Question) -> Answer:
        try:
            project = self._workspace.project_of(Path(question.path))
            return Answer(question.id, _topic(question.topic)(project, question))
        except Exception:
            return Answer(question.id, fault=traceback.format_exc())

    def _send(self, reply: Reply) -> None:
        self._replies.write(encode(reply) + b"\n")
        self._replies.flush()


@cache
def _topic(name: str) -> Callable[..., Any]:
    """The function that answers questions about a topic: `answer` of the module of that name."""
    found: Callable[..., Any] = import_module(f"shapecheck.lsp.worker.questions.{name}").answer
    return found
