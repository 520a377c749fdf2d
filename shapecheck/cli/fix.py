"""`shapecheck fix`: the options, and the run from paths to exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from shapecheck.cli._sources import (
    code_list,
    configuration,
    folders,
    print_any_character,
    search,
    selected_codes,
    targets,
)
from shapecheck.config import STYLES, Config
from shapecheck.diagnostics.codes import FIXES
from shapecheck.diagnostics.render import FORMATS
from shapecheck.fix.model import FixOptions, Style

_STDIN = Path("-")
_codes = code_list(FIXES, "fixer")


@dataclass(frozen=True, slots=True)
class _FixArguments:
    """What the command line says; None where it says nothing and the configuration decides."""

    check: bool
    diff: bool
    quiet: bool
    exclude: tuple[str, ...]
    select: frozenset[str] | None = None
    ignore: frozenset[str] | None = None
    style: str | None = None
    untyped: bool | None = None
    include_generated: bool | None = None
    line_length: int | None = None
    output_format: str | None = None
    jobs: int | None = None
    stdin_filename: Path | None = None


@click.command("fix")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATHS]...")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if something would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change as a unified diff.")
@click.option("--select", callback=_codes, metavar="CODE[,CODE]", help="Run these fixers only.")
@click.option("--ignore", callback=_codes, metavar="CODE[,CODE]", help="Leave these fixers out.")
@click.option(
    "--style", type=click.Choice(STYLES), help="For type checkers alone, or a method that also runs.  [default: typing]"
)
@click.option("--untyped/--no-untyped", default=None, help="Also for a forward without annotations.")
@click.option("--include-generated/--no-include-generated", default=None, help="Also files written by a program.")
@click.option("--line-length", type=click.IntRange(min=1), help="Columns.  [default: those of black or ruff]")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out what matches, as in .gitignore.")
@click.option("--format", "output_format", type=click.Choice(list(FORMATS)), help="What is printed.  [default: text]")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
@click.option("--stdin-filename", type=click.Path(path_type=Path), help="Where the text of `-` belongs.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings only: no changed files, no summary.")
def command(paths: tuple[Path, ...], **given: Any) -> None:
    """Give nn.Module classes a typed __call__, so that model(x) has a type.

    PATHS are files and folders; none means the configured `paths`, else the working folder. `-` fixes
    standard input to standard output.

    Exit code: 0 clean or fixed, 1 something would change or is left to you, 2 a path is missing, cannot be
    read or does not parse.
    """
    arguments = _FixArguments(**given)
    _refuse_contradictions(paths, arguments)
    print_any_character()
    config = configuration(_start(paths, arguments))
    run = _fix_stdin if paths == (_STDIN,) else _fix_files
    code = run(paths, arguments, config)
    sys.stdout.flush()  # a closed pipe shows here, where click can end quietly
    raise click.exceptions.Exit(code)


def _refuse_contradictions(paths: Sequence[Path], arguments: _FixArguments) -> None:
    if _STDIN in paths and len(paths) > 1:
        raise click.UsageError("`-` stands alone: standard input cannot be fixed together with files")
    if arguments.stdin_filename and _STDIN not in paths:
        raise click.UsageError("--stdin-filename goes with `-`")
    if arguments.diff and arguments.output_format not in (None, "text"):
        raise click.UsageError("--diff prints text; it does not go with --format")


def _start(paths: Sequence[Path], arguments: _FixArguments) -> Path:
    if paths and paths[0] != _STDIN:
        return paths[0]
    return arguments.stdin_filename or Path.cwd()


def _options(arguments: _FixArguments, config: Config) -> FixOptions:
    wanted = config.fix
    return FixOptions(
        select=selected_codes(arguments.select, arguments.ignore, (wanted.select, wanted.ignore), "fixer"),
        style=Style(arguments.style or wanted.style),
        untyped=wanted.untyped if arguments.untyped is None else arguments.untyped,
        generated=wanted.include_generated if arguments.include_generated is None else arguments.include_generated,
        decorators=frozenset(wanted.decorators),
        line_length=arguments.line_length or wanted.line_length or config.formatter_line_length,
        write=not (arguments.check or arguments.diff),
        diff=arguments.diff,
    )


def _fix_stdin(paths: Sequence[Path], arguments: _FixArguments, config: Config) -> int:
    from shapecheck.cli._stdin import fix_stdin  # noqa: PLC0415 - what follows is not needed for `--help`

    return fix_stdin(_options(arguments, config), _roots(config, ()), arguments.stdin_filename)


def _fix_files(paths: Sequence[Path], arguments: _FixArguments, config: Config) -> int:
    from shapecheck.cli._fix_report import FixReport  # noqa: PLC0415
    from shapecheck.cli._progress import with_progress  # noqa: PLC0415
    from shapecheck.fix.run import run  # noqa: PLC0415
    from shapecheck.project.parallel import available_cores  # noqa: PLC0415
    from shapecheck.project.write import remove_leftovers  # noqa: PLC0415

    began = time.perf_counter()
    options = _options(arguments, config)
    wanted = targets(paths, config)
    found = search(wanted, arguments.exclude, config)
    if options.write:
        remove_leftovers(found.leftovers)
    results = run(found.files, _roots(config, wanted), options, arguments.jobs or config.jobs or available_cores())
    report = FixReport(found, list(with_progress(results, len(found.files))), options)
    report.show("text" if arguments.diff else arguments.output_format or config.format, arguments.quiet, began)
    return report.exit_code()


def _roots(config: Config, wanted: Sequence[Path]) -> list[Path]:
    """Where the project's absolute imports may start, beside the folders that hold its packages."""
    return list(dict.fromkeys([config.root, config.root / "src", *folders(wanted)]))
