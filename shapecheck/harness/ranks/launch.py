"""Starts the processes of a case with the launcher of `torchrun`, and gathers what they recorded."""

from __future__ import annotations

import multiprocessing
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.harness.ranks.order import Order
from shapecheck.harness.ranks.process import main
from shapecheck.harness.ranks.records import Ended, RankFiles, RankRecord, RankResult
from shapecheck.runtime.guards.places import SourceLocation, is_of_program

if TYPE_CHECKING:
    from torch.distributed.elastic.multiprocessing.errors import ProcessFailure
    from torch.distributed.launcher.api import LaunchConfig

_LOOPBACK = "127.0.0.1"
_PRELOADED = "shapecheck.harness.ranks.process"
_FRAME = re.compile(r'^  File "(.+)", line (\d+) in ', re.MULTILINE)
_THREAD = re.compile(r"^(?:Current thread|Thread|Stack) .*$", re.MULTILINE)
_LATE = "Timeout ("
"""How faulthandler begins its trace of a process whose time is up."""


def launched(order: Order, size: int) -> list[RankResult]:
    """The results of `size` processes on this machine. Returns when all have ended."""
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError  # noqa: PLC0415
    from torch.distributed.launcher.api import elastic_launch  # noqa: PLC0415 - it imports modules of POSIX

    failures: dict[int, ProcessFailure] = {}
    try:
        elastic_launch(_configuration(size), main)(order)
    except ChildFailedError as error:
        failures = error.failures
    return [_result(order, rank, failures.get(rank)) for rank in range(size)]


def _configuration(size: int) -> LaunchConfig:
    from torch.distributed.launcher.api import LaunchConfig  # noqa: PLC0415

    return LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=size,
        run_id="shapecheck",
        rdzv_backend="c10d",
        rdzv_endpoint=f"{_LOOPBACK}:0",
        local_addr=_LOOPBACK,  # the name of the machine may have no address
        max_restarts=0,
        monitor_interval=0.1,
        start_method=_start_method(),
    )


def _start_method() -> str:
    """Forks of a server that has imported torch; this process itself cannot be forked, because autograd has run."""
    if sys.platform != "linux":
        return "spawn"
    multiprocessing.get_context("forkserver").set_forkserver_preload([_PRELOADED])
    return "forkserver"


def _result(order: Order, rank: int, failure: ProcessFailure | None) -> RankResult:
    files = RankFiles(order.folder, rank)
    outcome: RankRecord | Ended | None = files.read_record()
    if outcome is None and failure is not None:
        trace = files.trace.read_text(errors="replace") if files.trace.exists() else ""
        outcome = Ended(
            _reason(failure.exitcode, _LATE in trace, order.limit_seconds), *_place(trace, order.target.root)
        )
    record = outcome if isinstance(outcome, RankRecord) else files.read_progress()
    return RankResult(record, outcome, tuple(files.read_collectives()))


def _place(trace: str, root: Path) -> SourceLocation:
    """The innermost line of the program in the trace of the main thread, which is the last one."""
    frames = [SourceLocation(file, int(line)) for file, line in _FRAME.findall(_THREAD.split(trace)[-1])]
    own = (one for one in frames if is_of_program(one.path) and Path(one.path).is_relative_to(root))
    return next(own, SourceLocation("", 0))


def _reason(code: int, is_late: bool, limit: float) -> str:
    if is_late:
        return f"exceeded {limit:g} s, half of --timeout"
    if code < 0:
        return f"was killed by signal {-code} ({signal.Signals(-code).name})"
    return f"exited with code {code}"
