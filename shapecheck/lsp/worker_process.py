"""The worker process as the server uses it: requests with replies; a worker that ends is started again."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

from shapecheck.lsp.messages import CheckRequest, Question, Reply, Request, decode_reply, encode

_LOG = logging.getLogger(__name__)
_LONGEST_LINE = 1 << 30
_MODULE = "shapecheck.lsp.worker"


class WorkerEnded(Exception):
    """The worker ended before it replied."""


class WorkerProcess:
    """The process; `restarted` is called when another one has been started in its place."""

    def __init__(self, restarted: Callable[[], None], log: Callable[[str], None]) -> None:
        self._restarted = restarted
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._starting: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._backlog: list[bytes] = []
        self._ids = count(1)
        self._is_closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.folder = Path.cwd()

    @property
    def pid(self) -> int | None:
        """The id of the present process."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Starts the process, if it does not run."""
        if self._starting is None and not self._is_closed:
            self._starting = asyncio.get_running_loop().create_task(self._run())

    def send(self, request: Request) -> None:
        """Sends a request that has no reply."""
        self.start()
        line = encode(request) + b"\n"
        if self._process is None or self._process.stdin is None:
            self._backlog.append(line)
        else:
            self._process.stdin.write(line)

    async def ask(self, request: CheckRequest | Question) -> Reply:
        """The reply to a request; raises WorkerEnded."""
        request.id = next(self._ids)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[request.id] = future
        self.send(request)
        try:
            return await future
        finally:
            self._waiting.pop(request.id, None)

    def recycle(self) -> None:
        """Ends the process, so that another one starts without what it has kept."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    def close(self) -> None:
        """Ends the process for good."""
        self._is_closed = True
        self.recycle()

    async def _run(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            _MODULE,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=self.folder,
            limit=_LONGEST_LINE,
        )
        self._process = process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        for line in self._backlog:
            process.stdin.write(line)
        self._backlog.clear()
        errors = asyncio.get_running_loop().create_task(self._pass_on(process.stderr))
        self._tasks.add(errors)
        while line := await process.stdout.readline():
            reply = decode_reply(line)
            future = self._waiting.get(reply.id)
            if future is not None and not future.done():
                future.set_result(reply)
        code = await process.wait()
        await errors
        self._tasks.discard(errors)
        self._end(code)

    def _end(self, code: int) -> None:
        self._process = self._starting = None
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(WorkerEnded(f"exit code {code}"))
        if not self._is_closed:
            self._log(f"the worker process ended with exit code {code}; starting another one")
            self.start()
            self._restarted()

    async def _pass_on(self, stream: asyncio.StreamReader) -> None:
        while line := await stream.readline():
            self._log(line.decode(errors="replace").rstrip())
