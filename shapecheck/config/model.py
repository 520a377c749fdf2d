"""The configuration as dataclasses, one per table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shapecheck.diagnostics.codes import FIXES
from shapecheck.diagnostics.model import Severity


@dataclass(frozen=True, slots=True)
class FixConfig:
    """`[tool.shapecheck.fix]`."""

    select: tuple[str, ...] = FIXES
    """The fixers that run."""
    ignore: tuple[str, ...] = ()
    """All but these."""
    style: str = "typing"
    """A `__call__` for type checkers alone, or a method that also runs."""
    untyped: bool = False
    """Whether a `forward` without annotations gets a `__call__`."""
    decorators: tuple[str, ...] = ()
    """Further decorators that keep the signature of what they decorate."""
    line_length: int | None = None
    """Columns; by default those of black or ruff in the same file, else 88."""
    include_generated: bool = False
    """Whether files that a program wrote are fixed."""


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """`[tool.shapecheck.check]`."""

    select: tuple[str, ...] = ("default",)
    """The codes that are reported; `"default"` and `"all"` are sets."""
    ignore: tuple[str, ...] = ()
    """All but these."""
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """`"error"`, `"warning"` or `"note"` by code, where it is not the code's own."""
    baseline: str | None = None
    """A file of findings that are known, relative to the root."""
    per_path: tuple[PathConfig, ...] = ()
    cache_dir: str = ".shapecheck_cache"
    """The folder of what is kept between runs, relative to the root."""


@dataclass(frozen=True, slots=True)
class PathConfig:
    """An entry of `[tool.shapecheck.check.per-path]`: what is otherwise in the files that match."""

    pattern: str
    """As in .gitignore, from the root."""
    select: tuple[str, ...] | None = None
    """In place of the general one."""
    ignore: tuple[str, ...] = ()
    """Beside the general one."""
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """By code, before the general one."""


@dataclass(frozen=True, slots=True)
class GuardConfig:
    """`[tool.shapecheck.guard]`."""

    rules: tuple[str, ...] = ("default",)
    """What guards look for; `"default"` and `"all"` are sets."""
    allow: tuple[str, ...] = ()
    """Codes, files and lines of which nothing is said."""
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """By code: an error is raised, a warning is a GuardWarning, a note is kept."""


@dataclass(frozen=True, slots=True)
class RunConfig:
    """`[tool.shapecheck.run]`."""

    device: str = "cpu"
    """Where models run; `fake` has no data."""
    checks: tuple[str, ...] = ()
    """The checks that are asked; none: all."""
    skip: tuple[str, ...] = ()
    """All but these."""
    timeout: float = 120.0
    """The most seconds that a case may take."""
    memory: int | None = None
    """The most memory that a case may take; by default a share of 80 % of what is free."""
    jobs: int | None = None
    """Cases at a time; by default one a core, 1 on a GPU."""
    seed: int = 0
    """Of weights and inputs."""
    backend: str = "aot_eager"
    """Of `torch.compile`."""
    timed: bool = False
    """Whether each module is timed."""
    profile: bool = False
    """Whether copies inside kernels are looked for."""


@dataclass(frozen=True, slots=True)
class CaseConfig:
    """An entry of `[tool.shapecheck.cases]`: how `shapecheck run` is to build a class or call a factory."""

    label: str
    """The entry's key."""
    target: str
    """`pkg.module:Class`, or `pkg/module.py:Class`, where the path is from the folder of pyproject.toml."""
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the constructor or factory."""
    dims: Mapping[str, int] = field(default_factory=dict)
    """Sizes of axis names; the others are drawn."""
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The integers of a parameter: `n` for 0 to n - 1, or `[low, high]`."""
    skip: tuple[str, ...] = ()
    """Checks that are not asked."""
    checkpoint: str | None = None
    """A file of weights, relative to the root."""
    device: str = ""
    """Where it runs, whatever else is said."""


@dataclass(frozen=True, slots=True)
class Config:
    """`[tool.shapecheck]`."""

    root: Path
    """The base of `paths` and `exclude`: the folder of pyproject.toml, else the one the search began in."""
    file: Path | None = None
    paths: tuple[str, ...] = ()
    """What to look at where no path is given; none: the working folder."""
    exclude: tuple[str, ...] = ()
    """What to leave out, in patterns of .gitignore."""
    respect_gitignore: bool = True
    """Whether what git ignores is left out."""
    jobs: int | None = None
    """Processes; by default one a core."""
    format: str = "text"
    """How to report."""
    fix: FixConfig = FixConfig()
    check: CheckConfig = CheckConfig()
    guard: GuardConfig = GuardConfig()
    run: RunConfig = RunConfig()
    cases: tuple[CaseConfig, ...] = ()
    formatter_line_length: int | None = None
    """What black or ruff is told in the same file."""
    runtime: bool = True
    """Whether `shapecheck.checked` and the import hook check anything."""
