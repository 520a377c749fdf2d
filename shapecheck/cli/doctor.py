"""`shapecheck doctor`: what is installed, and which front ends work here."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from shapecheck import __version__
from shapecheck.cli._command import Command
from shapecheck.cli._distribution import conflict
from shapecheck.cli._doctor.configured import root_of
from shapecheck.cli._doctor.front_ends import FrontEnd, front_ends
from shapecheck.cli._doctor.packages import PACKAGES
from shapecheck.cli._options import format_option
from shapecheck.cli._sources import print_any_character
from shapecheck.config import ConfigError, load_config
from shapecheck.diagnostics.counts import counted

_EXIT_CODES = {
    0: "check, fix, annotate and every front end that the project configures work.",
    1: "One of them does not, the configuration is invalid, or a different package named shapecheck is installed.",
    2: "Cannot run: a missing directory or an invalid option.",
}
_WIDTH = 15


@click.command("doctor", cls=Command, example="shapecheck doctor", exit_codes=_EXIT_CODES)
@click.argument(
    "directory", type=click.Path(path_type=Path, exists=True, file_okay=False), default=Path(), metavar="[DIRECTORY]"
)
@format_option(["text", "json"])
def command(directory: Path, output_format: str | None) -> None:
    """Show what is installed, which front ends work here, and how to fix the rest.

    DIRECTORY is in the project whose configuration is read, by default the working directory. A front end that the
    project does not configure may be unavailable. Nothing that is reported is imported, and nothing is changed.
    """
    print_any_character()
    problems = list(_general_problems(directory))
    found = front_ends(root_of(directory))
    failed = [one for one in found if one.problem and one.is_expected]
    write = _as_json if output_format == "json" else _as_text
    sys.stdout.writelines(write(found, problems))
    sys.stdout.flush()  # a closed pipe raises here, where click can exit quietly
    raise click.exceptions.Exit(int(bool(failed or problems)))


def _general_problems(directory: Path) -> Iterator[str]:
    """What is wrong with the installation and the configuration of all front ends."""
    if other := conflict():
        yield other
    try:
        load_config(directory)
    except ConfigError as error:
        yield str(error)


def _as_text(found: Sequence[FrontEnd], problems: Sequence[str]) -> Iterator[str]:
    yield f"shapecheck {__version__} on Python {platform.python_version()}, {sys.executable}\n\nPackages:\n"
    for package in PACKAGES:
        state = package.version or ("version unknown" if package.is_installed else "not installed")
        yield f"  {package.name:<{_WIDTH}}{state}\n"
    yield "\nFront ends:\n"
    yield from (f"  {one.name:<{_WIDTH}}{_state(one)}\n" for one in found)
    failed = [one.name for one in found if one.problem and one.is_expected]
    yield "\n"
    yield from (f"{one}\n" for one in problems)
    if failed:
        yield f"Found {counted(len(failed), 'front end')} to fix: {', '.join(failed)}\n"
    elif not problems:
        yield "All that is configured works\n"


def _state(one: FrontEnd) -> str:
    where = f" (configured in {one.file})" if one.file else ""
    return f"unavailable{where}: {one.problem}; {one.fix}" if one.problem else f"works{where}"


def _as_json(found: Sequence[FrontEnd], problems: Sequence[str]) -> Iterator[str]:
    document: dict[str, Any] = {
        "version": 1,
        "tool": {"name": "shapecheck", "version": __version__},
        "python": {"version": platform.python_version(), "executable": sys.executable},
        "packages": [{"name": one.name, "installed": one.is_installed, "version": one.version} for one in PACKAGES],
        "front_ends": [
            {"name": one.name, "works": one.problem is None, "expected": one.is_expected, "configured_in": one.file}
            | {"problem": one.problem, "fix": one.fix}
            for one in found
        ],
        "problems": problems,
    }
    yield json.dumps(document, indent=2) + "\n"
