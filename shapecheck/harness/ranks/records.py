"""What one process of several records: plain data, written as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec


@dataclass(frozen=True)
class Collective:
    """A call of a collective. group: the name of its process group. path and line: of the program, 0 if unknown."""

    name: str
    """As in `torch.distributed`: `all_reduce`."""
    tensors: tuple[str, ...]
    """`torch.float32 (4, 3)`."""
    group: str = ""
    path: str = ""
    line: int = 0


@dataclass(frozen=True)
class LocalTensor:
    """A tensor of one process. whole: what all processes have together; placements: empty unless it is a DTensor.

    mesh: ranks of the DTensor's device mesh, row by row, and sizes of the mesh. sharded: for each dimension of the
    mesh, the dimension of the tensor that it divides evenly, or None.
    """

    name: str
    whole: str
    local: str
    placements: str = ""
    whole_shape: tuple[int, ...] = ()
    local_shape: tuple[int, ...] = ()
    mesh: tuple[int, ...] = ()
    mesh_shape: tuple[int, ...] = ()
    sharded: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Failure:
    """An exception of a process. is_connection: whether it is about communication with the others."""

    message: str
    path: str = ""
    line: int = 0
    is_connection: bool = False


@dataclass(frozen=True)
class RankRecord:
    """What a process did. step: the last that it began, 0 while the model is built; see `process`.

    difference: how its result differs from that of the model on its own; refused: why the model was not wrapped.
    """

    rank: int
    step: int = 0
    tensors: tuple[LocalTensor, ...] = ()
    failure: Failure | None = None
    difference: str = ""
    refused: str = ""


@dataclass(frozen=True)
class Ended:
    """A process that ended without a record: why, as a verb phrase, and the line that was running, if known."""

    reason: str
    path: str = ""
    line: int = 0


@dataclass(frozen=True)
class RankFiles:
    """The files of one process in the directory that all of them share."""

    folder: Path
    rank: int

    @property
    def record(self) -> Path:
        """Its RankRecord."""
        return self.folder / f"record-{self.rank}.json"

    @property
    def progress(self) -> Path:
        """Its RankRecord so far."""
        return self.folder / f"progress-{self.rank}.json"

    @property
    def collectives(self) -> Path:
        """The collectives that it has called, one per line: a process that is killed leaves them behind."""
        return self.folder / f"collectives-{self.rank}.jsonl"

    @property
    def trace(self) -> Path:
        """Its stack when a signal or the time limit ended it."""
        return self.folder / f"trace-{self.rank}"

    def read_record(self) -> RankRecord | None:
        """The record; None if the process ended without one."""
        return _read_record(self.record)

    def read_progress(self) -> RankRecord:
        """What was recorded before the end, an empty record if nothing was."""
        return _read_record(self.progress) or RankRecord(self.rank)

    def read_collectives(self) -> list[Collective]:
        """The collectives in the order of the calls."""
        if not self.collectives.exists():
            return []
        whole_lines = [line for line in self.collectives.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        return [msgspec.json.decode(line, type=Collective) for line in whole_lines]


def _read_record(file: Path) -> RankRecord | None:
    return msgspec.json.decode(file.read_bytes(), type=RankRecord) if file.exists() else None


@dataclass(frozen=True)
class RankResult:
    """The result of one process, and the collectives that it has called.

    outcome: None for a process that was ended because another one died. record: its record so far if it ended
    without one.
    """

    record: RankRecord
    outcome: RankRecord | Ended | None
    collectives: tuple[Collective, ...] = ()

    @property
    def rank(self) -> int:
        """Its number."""
        return self.record.rank
