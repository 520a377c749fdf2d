"""The data of the configuration: one struct per table, whose fields are the keys of the table in kebab case."""

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
    """A table of the configuration; a key that is not one of its fields is rejected."""


class FixConfig(Table, frozen=True):
    """`[tool.shapecheck.fix]`."""

    select: Fixers = FIXES
    """The codes of the fixers to run."""
    ignore: Fixers = ()
    """The codes of the fixers to skip."""
    style: Style = "typing"
    """A `__call__` for type checkers only, or a method that also runs."""
    untyped: Boolean = False
    """Whether to add a `__call__` for a `forward` without annotations."""
    decorators: Strings = ()
    """Additional decorators that keep the signature of the function they decorate."""
    line_length: Positive | None = None
    """The maximum line length; by default that of black or ruff in the same file, else 88."""
    include_generated: Boolean = False
    """Whether to fix generated files."""


class CheckConfig(Table, frozen=True):
    """`[tool.shapecheck.check]`."""

    select: Checks = ("default",)
    """The codes to report; `"default"` and `"all"` are sets of codes."""
    ignore: Checks = ()
    """The codes not to report."""
    severity: Mapping[CheckCode, Level] = {}
    """The severity by code, if it is not the default one of the code."""
    baseline: File | None = None
    """A file of known findings, relative to the root."""
    per_path: Mapping[Pattern, PathConfig] = {}
    """Settings by .gitignore pattern, relative to the root."""
    cache_dir: File = ".shapecheck_cache"
    """The directory of the cache, relative to the root."""
    python: File | None = None
    """The environment, or its interpreter, whose libraries are read; by default the active one, `.venv` or `venv`."""
    site_packages: Boolean = True
    """Whether to read the source of installed libraries that the code calls."""


class PathConfig(Table, frozen=True):
    """An entry of `[tool.shapecheck.check.per-path]`: settings for the files that match."""

    select: Checks | None = None
    """The codes to report, instead of the general `select`."""
    ignore: Checks = ()
    """The codes not to report, in addition to the general `ignore`."""
    severity: Mapping[CheckCode, Level] = {}
    """The severity by code, which overrides the general one."""


class MypyConfig(Table, frozen=True):
    """`[tool.shapecheck.mypy]`."""

    wait: Boolean | None = None
    """Whether mypy waits for findings that are not ready; by default where the environment variable CI is set."""


class GuardConfig(Table, frozen=True):
    """`[tool.shapecheck.guard]`."""

    rules: Guards = ("default",)
    """The codes that guards report; `"default"` and `"all"` are sets of codes."""
    allow: Strings = ()
    """Codes, files and lines to ignore."""
    severity: Mapping[GuardCode, Level] = {}
    """The severity by code: an error is raised, a warning is a GuardWarning, a note is recorded."""


class RunConfig(Table, frozen=True):
    """`[tool.shapecheck.run]`."""

    device: DeviceName = "cpu"
    """The device of the models; `fake` runs without data."""
    checks: Strings = ()
    """The checks to run; by default all."""
    skip: Strings = ()
    """The checks to skip."""
    timeout: Seconds = 120.0
    """The time limit of a case in seconds."""
    memory: Bytes | None = None
    """The memory limit of a case; by default its share of 80 % of the free memory."""
    jobs: Positive | None = None
    """The number of parallel processes; by default one per core, 1 on a GPU."""
    seed: NonNegative = 0
    """The seed of the weights and inputs."""
    backend: Name = "aot_eager"
    """The backend of `torch.compile`."""
    timed: Boolean = False
    """Whether to time the cases and their modules."""
    profile: Boolean = False
    """Whether to look for copies inside kernels."""


class CaseConfig(Table, frozen=True):
    """An entry of `[tool.shapecheck.cases]`: how `shapecheck run` builds a class or calls a factory."""

    target: ClassPath
    """`pkg.module:Class`, or `pkg/module.py:Class` with a path relative to the directory of pyproject.toml."""
    kwargs: Mapping[str, Any] = {}
    """The arguments of the constructor or factory."""
    dims: Mapping[str, NonNegative] = {}
    """The sizes of axis names; the others are random."""
    ranges: Mapping[str, Range] = {}
    """The range of integers for a parameter: `n` for 0 to n - 1, or `[low, high]`."""
    skip: Strings = ()
    """The checks to skip."""
    checkpoint: File | None = None
    """A file of weights, relative to the root."""
    device: DeviceName = ""
    """The device of the case, which overrides `--device`."""


class Options(Table, frozen=True):
    """`[tool.shapecheck]`."""

    paths: Strings = ()
    """The paths to check if none is given; by default the working directory."""
    exclude: Strings = ()
    """Files to exclude, as .gitignore patterns."""
    respect_gitignore: Boolean = True
    """Whether to exclude files that git ignores."""
    jobs: Positive | None = None
    """The number of parallel processes; by default one per core."""
    format: Format = "text"
    """The format of the report."""
    runtime: Boolean = True
    """Whether `shapecheck.checked` and the import hook check calls."""
    fix: FixConfig = FixConfig()
    check: CheckConfig = CheckConfig()
    mypy: MypyConfig = MypyConfig()
    guard: GuardConfig = GuardConfig()
    run: RunConfig = RunConfig()
    cases: Mapping[str, CaseConfig] = {}
    """The cases, by label."""


class Config(Options, frozen=True, kw_only=True):
    """`[tool.shapecheck]`, with its location and the line length of other tools."""

    root: Path
    """The base of `paths` and `exclude`: the directory of pyproject.toml, or the one where the search began."""
    file: Path | None = None
    formatter_line_length: int | None = None
    """The line length of black or ruff in the same file."""
