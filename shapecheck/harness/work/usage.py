"""What a process and those that it started take, and their end."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress

import psutil


def memory_of(pid: int) -> int:
    """Bytes that a process and its descendants hold; 0 where it is gone."""
    return sum(map(_resident, _family(pid)))


def kill_family(pid: int) -> None:
    """Kill a process, its descendants, and whatever else is of the process group that it leads."""
    for process in list(_family(pid)):
        with suppress(psutil.Error):
            process.kill()
    kill_group(pid)


def kill_group(pid: int) -> None:
    """Kill what a process that led a group left behind."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _family(pid: int) -> Iterator[psutil.Process]:
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        yield process
        yield from process.children(recursive=True)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
