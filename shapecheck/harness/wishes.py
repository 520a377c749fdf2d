"""What a run is asked to do, and which models it is asked to run: plain data that goes to the workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck.harness.cases.declared import Declared


@dataclass(frozen=True)
class Target:
    """A file with models. module: the name it is imported under; root: the folder from which that name is found.

    only: the name of one class or factory in it, "" for all. label: that of one of its cases, "" for all.
    """

    file: Path
    module: str
    root: Path
    only: str = ""
    label: str = ""
    configured: Mapping[str, Mapping[str, Declared]] = field(default_factory=dict)
    """`[tool.shapecheck.cases]`: declarations by class or factory and label."""


@dataclass(frozen=True)
class Wishes:
    """How every case is run.

    device: `cpu`, `cuda`, `cuda:1` or `fake`. checks: names of checks, empty for all. seconds and memory_bytes: the
    most that one case may take. backend: torch.compile's. wrap: `ddp`, `fsdp` or "".
    """

    device: str = "cpu"
    seed: int = 0
    checks: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    seconds: float = 120.0
    memory_bytes: int | None = None
    backend: str = "aot_eager"
    wrap: str = ""
    profile: bool = False
    timed: bool = False
    threads: int = 1
