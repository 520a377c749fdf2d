"""How the cases of a run are run: plain data that is sent to the workers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunOptions:
    """The settings for all cases.

    device: `cpu`, `cuda`, `cuda:1` or `fake`. checks: names of checks, empty for all. seconds and memory_bytes: the
    limits of one case. backend: that of torch.compile. wrap: `ddp`, `fsdp` or "".
    ranks: the number of processes of the check `ranks`, 0 for none.
    """

    device: str = "cpu"
    seed: int = 0
    checks: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    seconds: float = 120.0
    memory_bytes: int | None = None
    backend: str = "aot_eager"
    wrap: str = ""
    ranks: int = 0
    profile: bool = False
    timed: bool = False
    threads: int = 1
    inferred: frozenset[str] = frozenset()
    """The qualified names of the functions whose annotations are inferred and not the author's."""
