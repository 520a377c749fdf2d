"""A second process that computes findings while mypy parses and checks, and appends them to a log.

It is a new Python process, not a fork. It ends with mypy, unless mypy has finished and left the rest to it; it then
continues with a low priority until a later run takes over. If it cannot be started or dies, its answers are missing.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from shapecheck.project.findings_log import FindingsLog, Key
from shapecheck.project.parallel import available_cores
from shapecheck.project.requests import FINISH, Request, Setup, owner_file

_START = """
import sys
sys.path[:1] = []
if sys.argv[1] not in sys.path:
    sys.path.insert(0, sys.argv[1])
from shapecheck.project.requests import Requests
requests = Requests(sys.stdin.buffer)
from shapecheck.static.entry.server import serve
serve(requests)
"""
"""The working directory, which may contain anything, does not precede the standard library."""
_ON_ONE_CORE = 19
_BESIDE_MYPY = 10
"""By how much the process lets mypy precede it, which matters if other programs use the second core."""
_INTERVAL = 0.002
_LONGEST_INTERVAL = 0.05
_closed: list[subprocess.Popen[bytes]] = []
"""The processes of earlier runs, if this process is a server; they are zombies until they are polled."""


class Background:
    """Requests findings, and waits for them."""

    def __init__(
        self, log: FindingsLog, roots: Iterable[str], *, is_temporary: bool = False, is_waited_for: bool = False
    ) -> None:
        self._log = log
        self._is_temporary = is_temporary
        self._is_waited_for = is_waited_for
        self._roots = list(roots)
        self._asked: set[Key] = set()
        self._names: dict[frozenset[str], str] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self.exit_code: int | None = None
        """The exit code of the process, if it ended although it should not; 127 if it could not be started."""

    def ask(self, request: Request, codes: frozenset[str]) -> None:
        """Request the findings of a file under these codes, once."""
        key = request[1:]
        if key in self._asked or self.exit_code is not None:
            return
        self._asked.add(key)
        if self._process is None:
            self._start()
        if codes not in self._names:
            self._names[codes] = request.codes
            self._send({request.codes: codes})
        self._send(tuple(request))

    def has_asked(self, key: Key) -> bool:
        """Whether the process computes this answer."""
        return key in self._asked and self.exit_code is None

    def wait(self, keys: Iterable[Key], seconds: float = float("inf")) -> None:
        """Wait until all of these answers are in the log, but not longer than this, nor for a process that has died."""
        due, interval = time.perf_counter() + seconds, _INTERVAL
        missing = [key for key in keys if self.has_asked(key)]
        while True:
            is_alive = self._is_alive()
            self._log.poll()
            missing = [key for key in missing if key not in self._log]
            left = due - time.perf_counter()
            if not missing or left <= 0 or not is_alive:
                return
            time.sleep(min(interval, left))
            interval = min(interval * 1.3, _LONGEST_INTERVAL)

    def finish(self) -> None:
        """No answer is needed in this run any more; the process continues after it."""
        if self._process is not None and not self._is_temporary:
            self._send(FINISH)

    def close(self) -> None:
        """End the process if it has nothing to do."""
        process, self._process = self._process, None
        self._asked.clear()
        self._names.clear()
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
            _closed.append(process)

    def _start(self) -> None:
        home = str(Path(__file__).parents[2])
        owner = f"{os.getpid()} {time.time_ns()}"
        _closed[:] = [process for process in _closed if process.poll() is None]
        try:
            with open(owner_file(self._log.path), "w", encoding="utf-8") as stream:  # noqa: PTH123
                stream.write(owner)
            os.utime(owner_file(self._log.path), (0, 0))  # a later time means that it continues without this process
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, home],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError:
            self.exit_code = 127
            return
        patience = 0 if self._is_waited_for else _ON_ONE_CORE if available_cores() == 1 else _BESIDE_MYPY
        self._send(tuple(Setup(self._roots, self._log.path, owner, patience, self._is_temporary)))

    def _send(self, message: object) -> None:
        if self._process is None or self._process.stdin is None:
            return
        try:
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()
        except (OSError, ValueError):
            self._is_alive()

    def _is_alive(self) -> bool:
        if self._process is not None and self.exit_code is None:
            self.exit_code = self._process.poll()
        return self._process is not None and self.exit_code is None
