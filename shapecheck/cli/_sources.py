"""Shared by the commands that take source files: lists of codes, the configuration, the search for files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.cli._errors import usage_failure
from shapecheck.config import Config, ConfigError, load_config
from shapecheck.diagnostics import CODES, FailOn

if TYPE_CHECKING:
    from shapecheck.project.files import FileSearch, PathProblem

_Callback = Callable[[click.Context, click.Parameter, "str | None"], "frozenset[str] | None"]


def code_list(known: Sequence[str], kind: str) -> _Callback:
    """Reads an option that holds diagnostic codes with commas between them; `kind` is the word for one of `known`."""

    def read(ctx: click.Context, param: click.Parameter, value: str | None) -> frozenset[str] | None:
        if value is None:
            return None
        codes = frozenset(code for item in value.split(",") if (code := item.strip()))
        for code in sorted(codes.difference(known)):
            elsewhere = code in CODES
            hint = f"`shapecheck explain {code}` says what reports it; " if elsewhere else did_you_mean(code, known)
            raise click.BadParameter(f"no {kind} for {code!r}; {hint}there are: {', '.join(known)}")
        return codes

    return read


fail_on_option = click.option(
    "--fail-on", type=click.Choice([one.value for one in FailOn]), default=FailOn.WARNING.value, show_default=True,
    callback=lambda _ctx, _param, value: FailOn(value), help="The least severity for which the exit code is 1.",
)  # fmt: skip


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """`did you mean 'x'? ` for the nearest of the words that are known; empty where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - for a misspelt word alone

    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]!r}? " if near else ""


def selected_codes(
    select: frozenset[str] | None,
    ignore: frozenset[str] | None,
    by_default: tuple[Sequence[str], Sequence[str]],
    kind: str,
) -> frozenset[str]:
    """What is selected and not ignored: by the command line, where that says nothing by the configuration."""
    selected = frozenset(by_default[0]) if select is None else select
    ignored = frozenset(by_default[1]) if ignore is None else ignore
    if not selected - ignored:
        raise click.UsageError(f"no {kind} is left: everything selected is ignored too")
    return selected - ignored


def print_any_character() -> None:
    """Let file names and texts be printed that do not fit the encoding of what we print to."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def configuration(start: Path) -> Config:
    """The configuration for `start`; a mistake in it is one line and exit code 2."""
    try:
        return load_config(start)
    except ConfigError as error:
        raise usage_failure(error) from error


def targets(paths: Sequence[Path], config: Config) -> list[Path]:
    """The files and folders to look at: those given, else those of the configuration, else the working folder."""
    return list(paths) or [config.root / path for path in config.paths] or [Path.cwd()]


def folders(wanted: Sequence[Path]) -> list[Path]:
    """Those of the paths that are folders."""
    return [path.absolute() for path in wanted if os.path.isdir(path)]  # noqa: PTH112 - Path.is_dir may raise


def search(wanted: Sequence[Path], exclude: Sequence[str], config: Config) -> FileSearch:
    """Find the source files; `exclude` is what the command line leaves out beside the configuration."""
    from shapecheck.project.files import find_files  # noqa: PLC0415 - not needed for `--help`
    from shapecheck.project.ignore import rules_from_patterns  # noqa: PLC0415

    rules = rules_from_patterns(config.root, config.exclude) + rules_from_patterns(Path.cwd(), exclude)
    found = find_files(wanted, rules, config.respect_gitignore)
    configured = {(config.root / path).absolute() for path in config.paths}
    found.problems = [_blaming_the_configuration(one) if one.path in configured else one for one in found.problems]
    return found


def _blaming_the_configuration(problem: PathProblem) -> PathProblem:
    return replace(problem, message=f"{problem.message}; `paths` in pyproject.toml names it")
