"""Runs under `torchrun`: each rank examines its share of the cases, and gathers all results."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
_PATIENCE_DAYS = 7
"""The ranks wait for the slowest one; if one is gone, `torchrun` notices and ends all."""


@dataclass(frozen=True)
class Share:
    """The number of this process and of all processes. local: the same on its machine."""

    rank: int = 0
    size: int = 1
    local: int = 0
    local_size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this rank reports."""
        return self.rank == 0

    def of(self, items: Sequence[T]) -> list[tuple[int, T]]:
        """The share of this rank, with the index of each item."""
        return [(index, item) for index, item in enumerate(items) if index % self.size == self.rank]

    def device(self, device: str) -> str:
        """The GPU of this rank, if the run is for GPUs."""
        return f"cuda:{self.local}" if device == "cuda" and self.size > 1 else device


def share_of(variables: Mapping[str, str] = os.environ) -> Share:
    """The share according to the variables of `torchrun`; everything if there are none."""
    if not {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"} <= set(variables):
        return Share()
    rank, size = int(variables["RANK"]), int(variables["WORLD_SIZE"])
    return Share(rank, size, int(variables.get("LOCAL_RANK", rank)), int(variables.get("LOCAL_WORLD_SIZE", size)))


def gathered_json(subject: str, content: bytes) -> bytes:
    """The contributions of all ranks to a subject, each a JSON document, as one JSON list in the order of the ranks.

    To be called in a worker process. It uses the store of `torchrun`, which needs no collective and no GPU.
    """
    from datetime import timedelta  # noqa: PLC0415 - not needed for `--help`

    import msgspec  # noqa: PLC0415
    from torch import distributed as dist  # noqa: PLC0415

    meeting = dist.rendezvous("env://", timeout=timedelta(days=_PATIENCE_DAYS))  # type: ignore[attr-defined]
    store, rank, size = next(iter(meeting))
    attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    shared = dist.PrefixStore(f"shapecheck/{attempt}/{subject}", store)  # type: ignore[attr-defined]
    shared.set(f"part/{rank}", content.decode())
    parts = [msgspec.Raw(shared.get(f"part/{other}")) for other in range(size)]
    shared.set(f"done/{rank}", "1")
    if rank == 0:  # the store may live in this process
        for other in range(size):
            shared.get(f"done/{other}")
    return msgspec.json.encode(parts)
