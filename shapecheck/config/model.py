"""What the configuration holds: one struct per table, whose fields are the keys of the table in kebab case."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from shapecheck.config.values import (
    Boolean,
    Bytes,
    CheckCode,
    Checks,
    ClassPath,
    DeviceName,
    File,
    Fixers,
    Format,
    GuardCode,
    Guards,
    Level,
    Name,
    NonNegative,
    Pattern,
    Positive,
    Range,
    Seconds,
    Strings,
    Style,
)
from shapecheck.diagnostics.codes import FIXES


class Table(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A table of the configuration: a key that is not a field of it is refused."""


class FixConfig(Table, frozen=True):
    """`[tool.shapecheck.fix]`."""

    select: Fixers = FIXES
    """The fixers that run."""
    ignore: Fixers = ()
    """All but these."""
    style: Style = "typing"
    """A `__call__` for type checkers alone, or a method that also runs."""
    untyped: Boolean = False
    """Whether a `forward` without annotations gets a `__call__`."""
    decorators: Strings = ()
    """Further decorators that keep the signature of what they decorate."""
    line_length: Positive | None = None
    """Columns; by default those of black or ruff in the same file, else 88."""
    include_generated: Boolean = False
    """Whether files that a program wrote are fixed."""


class CheckConfig(Table, frozen=True):
    """`[tool.shapecheck.check]`."""

    select: Checks = ("default",)
    """The codes that are reported; `"default"` and `"all"` are sets."""
    ignore: Checks = ()
    """All but these."""
    severity: Mapping[CheckCode, Level] = {}
    """`"error"`, `"warning"` or `"note"` by code, where it is not the code's own."""
    baseline: File | None = None
    """A file of findings that are known, relative to the root."""
    per_path: Mapping[Pattern, PathConfig] = {}
    """Exceptions by pattern, which is as in .gitignore, from the root."""
    cache_dir: File = ".shapecheck_cache"
    """The folder of what is kept between runs, relative to the root."""


class PathConfig(Table, frozen=True):
    """An entry of `[tool.shapecheck.check.per-path]`: what is otherwise in the files that match."""

    select: Checks | None = None
    """In place of the general one."""
    ignore: Checks = ()
    """Beside the general one."""
    severity: Mapping[CheckCode, Level] = {}
    """By code, before the general one."""


class GuardConfig(Table, frozen=True):
    """`[tool.shapecheck.guard]`."""

    rules: Guards = ("default",)
    """What guards look for; `"default"` and `"all"` are sets."""
    allow: Strings = ()
    """Codes, files and lines of which nothing is said."""
    severity: Mapping[GuardCode, Level] = {}
    """By code: an error is raised, a warning is a GuardWarning, a note is kept."""


class RunConfig(Table, frozen=True):
    """`[tool.shapecheck.run]`."""

    device: DeviceName = "cpu"
    """Where models run; `fake` has no data."""
    checks: Strings = ()
    """The checks that are asked; none: all."""
    skip: Strings = ()
    """All but these."""
    timeout: Seconds = 120.0
    """The most seconds that a case may take."""
    memory: Bytes | None = None
    """The most memory that a case may take; by default a share of 80 % of what is free."""
    jobs: Positive | None = None
    """Cases at a time; by default one a core, 1 on a GPU."""
    seed: NonNegative = 0
    """Of weights and inputs."""
    backend: Name = "aot_eager"
    """Of `torch.compile`."""
    timed: Boolean = False
    """Whether each module is timed."""
    profile: Boolean = False
    """Whether copies inside kernels are looked for."""


class CaseConfig(Table, frozen=True):
    """An entry of `[tool.shapecheck.cases]`: how `shapecheck run` is to build a class or call a factory."""

    target: ClassPath
    """`pkg.module:Class`, or `pkg/module.py:Class`, where the path is from the folder of pyproject.toml."""
    kwargs: Mapping[str, Any] = {}
    """Arguments of the constructor or factory."""
    dims: Mapping[str, NonNegative] = {}
    """Sizes of axis names; the others are drawn."""
    ranges: Mapping[str, Range] = {}
    """The integers of a parameter: `n` for 0 to n - 1, or `[low, high]`."""
    skip: Strings = ()
    """Checks that are not asked."""
    checkpoint: File | None = None
    """A file of weights, relative to the root."""
    device: DeviceName = ""
    """Where it runs, whatever else is said."""


class Options(Table, frozen=True):
    """`[tool.shapecheck]`."""

    paths: Strings = ()
    """What to look at where no path is given; none: the working folder."""
    exclude: Strings = ()
    """What to leave out, in patterns of .gitignore."""
    respect_gitignore: Boolean = True
    """Whether what git ignores is left out."""
    jobs: Positive | None = None
    """Processes; by default one a core."""
    format: Format = "text"
    """How to report."""
    runtime: Boolean = True
    """Whether `shapecheck.checked` and the import hook check anything."""
    fix: FixConfig = FixConfig()
    check: CheckConfig = CheckConfig()
    guard: GuardConfig = GuardConfig()
    run: RunConfig = RunConfig()
    cases: Mapping[str, CaseConfig] = {}
    """By label."""


class Config(Options, frozen=True, kw_only=True):
    """`[tool.shapecheck]`, with where it was read and what matters of the tables of other tools."""

    root: Path
    """The base of `paths` and `exclude`: the folder of pyproject.toml, else the one the search began in."""
    file: Path | None = None
    formatter_line_length: int | None = None
    """What black or ruff is told in the same file."""
