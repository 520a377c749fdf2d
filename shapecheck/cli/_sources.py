"""Shared by the commands that take source files: the codes, the configuration, the search for files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.cli._errors import usage_failure
from shapecheck.config import Config, ConfigError, load_config

if TYPE_CHECKING:
    from shapecheck.project.files import FileSearch, PathProblem

STDIN = Path("-")
"""The path that names standard input."""


def selected_codes(
    select: frozenset[str] | None,
    ignore: frozenset[str] | None,
    by_default: tuple[Sequence[str], Sequence[str]],
) -> frozenset[str]:
    """The codes that are selected and not ignored; the configuration's `by_default` where an option is not given."""
    selected = frozenset(by_default[0]) if select is None else select
    ignored = frozenset(by_default[1]) if ignore is None else ignore
    if not selected - ignored:
        raise click.UsageError("no code is enabled: all selected codes are ignored")
    return selected - ignored


def print_any_character() -> None:
    """Escape characters that the encoding of standard output or standard error lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def configuration(start: Path) -> Config:
    """The configuration for `start`; an invalid one ends the command with one line and exit code 2."""
    try:
        return load_config(start)
    except ConfigError as error:
        raise usage_failure(error) from error


def targets(paths: Sequence[Path], config: Config) -> list[Path]:
    """The files and directories to check: those given, else the configured ones, else the working directory."""
    return list(paths) or [config.root / path for path in config.paths] or [Path.cwd()]


def refuse_mixed_stdin(paths: Sequence[Path], filename: Path | None) -> None:
    """End the command if standard input is combined with other paths, or if only its name is given."""
    if STDIN in paths and len(paths) > 1:
        raise click.UsageError("standard input (`-`) cannot be used with other paths")
    if filename and STDIN not in paths:
        raise click.UsageError("--stdin-filename requires `-`")


def start_of(paths: Sequence[Path], filename: Path | None) -> Path:
    """Where the search for the configuration begins; `filename` is the path of the source on standard input."""
    return paths[0] if paths and paths[0] != STDIN else filename or Path.cwd()


def import_roots(config: Config, wanted: Sequence[Path]) -> list[Path]:
    """Directories where absolute imports may start, besides those that contain the packages of the project."""
    return list(dict.fromkeys([config.root, config.root / "src", *directories(wanted)]))


def directories(wanted: Sequence[Path]) -> list[Path]:
    """The paths that are directories."""
    return [path.absolute() for path in wanted if os.path.isdir(path)]  # noqa: PTH112 - Path.is_dir may raise


def search(wanted: Sequence[Path], exclude: Sequence[str], config: Config, *, notebooks: bool = True) -> FileSearch:
    """Find the source files; `exclude` are the patterns of the command line, in addition to the configured ones.

    notebooks: whether those in directories are found, too.
    """
    from shapecheck.project.files import PYTHON, WITH_NOTEBOOKS, find_files  # noqa: PLC0415 - not needed for `--help`
    from shapecheck.project.ignore import rules_from_patterns  # noqa: PLC0415

    rules = rules_from_patterns(config.root, config.exclude) + rules_from_patterns(Path.cwd(), exclude)
    suffixes = WITH_NOTEBOOKS if notebooks else PYTHON
    found = find_files(wanted, rules, config.respect_gitignore, suffixes)
    configured = {(config.root / path).absolute() for path in config.paths}
    found.problems = [_naming_the_configuration(one) if one.path in configured else one for one in found.problems]
    return found


def _naming_the_configuration(problem: PathProblem) -> PathProblem:
    return problem._replace(message=f"{problem.message} (from `paths` in pyproject.toml)")
