"""A second process that computes findings while mypy parses and checks torch.

It is started when enough files are known that will be checked. If it fails in any way, it sends no answer, and the
findings are computed in this process.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.project.parallel import available_cores

if TYPE_CHECKING:
    from shapecheck.diagnostics import Diagnostic

_WORTH_A_PROCESS = 30_000
"""Bytes of source below which starting it costs more than it saves."""
_START = """
import sys
sys.path[:1] = []
if sys.argv[1] not in sys.path:
    sys.path.insert(0, sys.argv[1])
from shapecheck.static.entry.server import serve
serve()
"""
"""The working directory, which may contain anything, does not precede the standard library."""
_CONNECTION_LOST = (OSError, EOFError, pickle.UnpicklingError, ValueError)

Request = tuple[str, frozenset[str]]


class Prefetch:
    """Requests the findings of files before they are needed."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = list(roots)
        self._asked: dict[Request, None] = {}
        self._size = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: dict[Request, list[Diagnostic] | None] = {}

    def ask(self, path: str, codes: frozenset[str]) -> None:
        """Announces that the findings of a file under these codes will be needed."""
        question = (path, codes)
        if question in self._asked:
            return
        self._asked[question] = None
        if self._process is not None:
            self._send(question)
            return
        with suppress(OSError):
            self._size += os.path.getsize(path)  # noqa: PTH202
        if self._size >= _WORTH_A_PROCESS and available_cores() > 1:
            self._start()

    def answer(self, path: str, codes: frozenset[str]) -> list[Diagnostic] | None:
        """Waits for the findings and returns them; None if they were not requested or the process has failed."""
        question = (path, codes)
        while self._process is not None and question in self._asked:
            self._receive()
        if self._process is not None and not self._asked:
            self._end()
        return self._answers.pop(question, None)

    def _start(self) -> None:
        home = str(Path(__file__).parents[2])
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, home],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError:
            self._asked.clear()
            return
        self._send(self._roots, *self._asked)

    def _send(self, *messages: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            for one in messages:
                pickle.dump(one, self._process.stdin)
            self._process.stdin.flush()
        except _CONNECTION_LOST:
            self._end()

    def _receive(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            path, codes, found = pickle.load(self._process.stdout)
        except _CONNECTION_LOST:
            self._end()
        else:
            self._asked.pop((path, codes), None)
            self._answers[path, codes] = found

    def _end(self) -> None:
        """Waits for the process, which stops when its input is closed."""
        process, self._process = self._process, None
        self._asked.clear()
        self._size = 0
        assert process is not None
        with suppress(OSError):
            process.communicate()
