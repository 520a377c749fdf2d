"""Limits of time and memory for a process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_SHARE = 0.8
_LEAST = 512 * 1024**2
_CGROUP = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Limits:
    """seconds: from its start; None for no limit. memory_bytes: in addition to its memory at the start.

    addresses: whether reserved memory counts, and not only used memory; this cannot be combined with CUDA, which
    reserves far more than it uses.
    """

    seconds: float | None = None
    memory_bytes: int | None = None
    addresses: bool = True


def share_of_memory(jobs: int) -> int:
    """Bytes that each of several processes may use, so that together they leave some to others."""
    import psutil  # noqa: PLC0415 - 20 ms that `--help` does not have to spend

    free = min(psutil.virtual_memory().available, _left_to_container())
    return max(int(free * _SHARE) // jobs, _LEAST)


def _left_to_container() -> float:
    """The remaining memory of the container, infinite if there is none."""
    try:
        most = int((_CGROUP / "memory.max").read_text())
        return most - int((_CGROUP / "memory.current").read_text())
    except (OSError, ValueError):
        return float("inf")
