"""The requests that a process receives through a pipe, by priority. Read before the engine is imported."""

from __future__ import annotations

import os
import pickle
import time
from contextlib import suppress
from queue import PriorityQueue
from threading import Event, Thread
from typing import IO, NamedTuple

FINISH = "finish"
"""The message after which all requests are answered even if the client ends."""
_LONGEST = 300.0
"""Seconds after which the process ends if its client has ended."""
_PULSE = 1.0
"""Seconds between two signs of life after that."""
_LAST = 1 << 62


class Request(NamedTuple):
    """A request for the findings of one file. Those with the lowest rank are computed first."""

    rank: int
    path: str
    codes: str
    digest: str


class Setup(NamedTuple):
    """The first message."""

    roots: list[str]
    """The directories in which absolute imports are searched."""
    log: str
    """The file to which the findings are appended."""
    owner: str
    """What the file next to it contains while no later process has taken over."""
    patience: int
    """By how much the process lets others precede it."""
    is_temporary: bool
    """Whether to remove the log at the end."""


class Requests:
    """Messages from a client: `Setup`, then sets of codes by name, requests, and `FINISH`, in any order.

    Without `FINISH` the process ends with its client, whatever it is doing.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._waiting: PriorityQueue[Request] = PriorityQueue()
        self.codes: dict[str, frozenset[str]] = {}
        """The sets of codes that requests name."""
        self.client_ended = Event()
        self.setup = Setup(*pickle.load(stream))
        Thread(target=self._receive, daemon=True).start()

    def next(self) -> Request | None:
        """Waits for the next request; None if there will be none, or another process does the rest."""
        if self.client_ended.is_set() and not self._is_owner():
            return None
        found = self._waiting.get()
        return None if found.rank == _LAST else found

    def end(self) -> None:
        """End the process at once, without collecting garbage."""
        if self.setup.is_temporary:
            for path in (self.setup.log, owner_file(self.setup.log)):
                with suppress(OSError):
                    os.unlink(path)  # noqa: PTH108
        os._exit(0)

    def _show_life(self) -> None:
        """Touches the owner file until the time is over."""
        for _ in range(int(_LONGEST / _PULSE)):
            with suppress(OSError):
                os.utime(owner_file(self.setup.log))
            time.sleep(_PULSE)

    def _is_owner(self) -> bool:
        try:
            with open(owner_file(self.setup.log), encoding="utf-8") as stream:  # noqa: PTH123
                return stream.read() == self.setup.owner
        except OSError:
            return False

    def _receive(self) -> None:
        """Receives messages whether or not they are processed, so that the client never blocks."""
        may_stay = False
        try:
            while True:
                message = pickle.load(self._stream)
                if message == FINISH:
                    may_stay = True
                elif isinstance(message, dict):
                    self.codes.update(message)
                else:
                    self._waiting.put(Request(*message))
        except (OSError, EOFError, pickle.UnpicklingError):
            if may_stay:
                self.client_ended.set()
                self._waiting.put(Request(_LAST, "", "", ""))
                self._show_life()
            self.end()


def owner_file(log: str) -> str:
    """The file that names the last process that was started for a log."""
    return f"{log}.owner"


def is_continued(log: str) -> bool:
    """Whether the process of an earlier client still appends to a log."""
    try:
        return abs(time.time() - os.stat(owner_file(log)).st_mtime) < 3 * _PULSE  # noqa: PTH116
    except OSError:
        return False
