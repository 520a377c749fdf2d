"""The inside of a worker process."""

from __future__ import annotations

import gc
import os
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from shapecheck.harness.work.limits import Limits
from shapecheck.harness.work.traces import write_traces

FAULT = 70
"""The exit code of a process whose function raised: by convention, an internal fault."""


def main(
    connection: Connection, folder: str, function: Callable[..., bytes], arguments: tuple[Any, ...], limits: Limits
) -> None:
    """Send the result of the function, and end; output goes to files of `folder`."""
    if hasattr(os, "setsid"):
        os.setsid()  # its own process group, which can be ended as one, and which Ctrl-C does not reach
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _print_to(Path(folder) / "output")
    # left open: it is written to when this process dies
    write_traces((Path(folder) / "trace").open("w"))
    _limit_addresses(limits)
    gc.freeze()  # what the fork server has imported is never freed: do not search, and so copy, its memory
    try:
        content = function(*arguments)
    except BaseException:
        traceback.print_exc()
        _end(FAULT)
    with suppress(BrokenPipeError):
        connection.send_bytes(content)
    _end(0)


def _end(code: int) -> None:
    """Ends without waiting for threads or exit handlers of the program."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(code)


def _print_to(file: Path) -> None:
    """Send what this process and its libraries print to a file."""
    target = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number in (1, 2):
        os.dup2(target, number)
    os.close(target)
    sys.stdout = os.fdopen(1, "w", errors="backslashreplace", closefd=False)
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", closefd=False, buffering=1)


def _limit_addresses(limits: Limits) -> None:
    if limits.memory_bytes is None or not limits.addresses or sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 - Windows has none

    import psutil  # noqa: PLC0415

    most = psutil.Process().memory_info().vms + limits.memory_bytes
    with suppress(ValueError, OSError):  # a limit that is lower already
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _end_with_parent() -> None:
    """End this process when its parent is gone, even by SIGKILL, which sends no notification."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
