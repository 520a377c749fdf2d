"""Interrupts the main thread from the one that reads requests."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Interrupted(BaseException):
    """The work is no longer needed. Not an Exception, so that the engine does not report it."""


class Interruptible:
    """Work of the main thread that another thread may interrupt, between any two instructions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = threading.get_ident()
        self._topic: object = None

    def run(self, topic: object, work: Callable[[], T]) -> T | None:
        """The result of `work`; None if it was interrupted."""
        try:
            try:
                with self._lock:
                    self._topic = topic
                return work()
            finally:
                with self._lock:
                    self._topic = None
        except Interrupted:
            self._topic = None
            return None

    def interrupt(self, topic: object) -> None:
        """Interrupts the work on a topic, if that is going on."""
        with self._lock:
            if self._topic == topic:
                self._topic = None
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Interrupted))
