"""Memory of a process and its descendants, and how to kill them."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress

import psutil


def memory_of(pid: int) -> int:
    """Bytes that a process uses; 0 if it has ended."""
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def memory_of_families(pids: Collection[int]) -> dict[int, int]:
    """Bytes that each of several processes uses with its descendants, from one scan of the machine."""
    parents = {process.pid: process.info["ppid"] for process in psutil.process_iter(["ppid"])}
    held = dict.fromkeys(pids, 0)
    for pid in parents:
        root = _ancestor_among(pid, held, parents)
        if root is not None:
            held[root] += memory_of(pid)
    return held


def kill_family(pid: int) -> None:
    """Kill a process, its descendants, and whatever else is of the process group that it leads."""
    for process in list(_family(pid)):
        with suppress(psutil.Error):
            process.kill()
    kill_group(pid)


def kill_group(pid: int) -> None:
    """Kill the remaining processes of a group whose leader has ended."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _family(pid: int) -> Iterator[psutil.Process]:
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        yield process
        yield from process.children(recursive=True)


def _ancestor_among(pid: int, wanted: Collection[int], parents: Mapping[int, int]) -> int | None:
    seen = set()
    while pid not in wanted:
        if pid in seen or pid not in parents:
            return None
        seen.add(pid)
        pid = parents[pid]
    return pid
