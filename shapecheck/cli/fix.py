"""`shapecheck fix`: the options, and the run from paths to exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from shapecheck.cli._command import Command
from shapecheck.cli._options import (
    changing_options,
    codes_options,
    format_option,
    jobs_option,
    line_length_option,
    option,
    quiet_option,
)
from shapecheck.cli._sources import (
    STDIN,
    configuration,
    import_roots,
    print_any_character,
    refuse_mixed_stdin,
    search,
    selected_codes,
    start_of,
    targets,
)
from shapecheck.config import STYLES, Config
from shapecheck.diagnostics.codes import FIXES
from shapecheck.diagnostics.render import FORMATS
from shapecheck.fix.model import FixOptions, Style

_EXIT_CODES = {
    0: "Nothing to fix, or everything was fixed; notes do not count.",
    1: "A file would change (--check, --diff), or a warning needs a manual change.",
    2: "Cannot run: a missing, unreadable or invalid file, or an invalid option or configuration.",
}


@dataclass(frozen=True, slots=True)
class _FixArguments:
    """The command line; None where an option is not given and the configuration decides."""

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


@click.command("fix", cls=Command, example="shapecheck fix --diff src/", exit_codes=_EXIT_CODES)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATHS]...")
@codes_options(FIXES)
@changing_options
@option(
    "--style", type=click.Choice(STYLES), group="Changes",
    help="Write a __call__ for type checkers only, or a method that also runs.  [default: typing]",
)  # fmt: skip
@option(
    "--untyped/--no-untyped", default=None, group="Changes",
    help="Also add a __call__ for a forward without annotations.  [default: no]",
)  # fmt: skip
@line_length_option
@format_option(list(FORMATS))
@quiet_option
@jobs_option()
def command(paths: tuple[Path, ...], **given: Any) -> None:
    """Add a typed __call__ to nn.Module classes, so that model(x) has a type.

    PATHS are files and directories. Without PATHS, fix the configured `paths`, or the working directory. With `-`,
    fix standard input and write the result to standard output.

    CODE is `untyped-call` or `direct-forward`.
    """
    arguments = _FixArguments(**given)
    _refuse_contradictions(paths, arguments)
    print_any_character()
    config = configuration(start_of(paths, arguments.stdin_filename))
    run = _fix_stdin if paths == (STDIN,) else _fix_files
    code = run(paths, arguments, config)
    sys.stdout.flush()  # a closed pipe raises here, where click can exit quietly
    raise click.exceptions.Exit(code)


def _refuse_contradictions(paths: Sequence[Path], arguments: _FixArguments) -> None:
    refuse_mixed_stdin(paths, arguments.stdin_filename)
    if arguments.diff and arguments.output_format not in (None, "text"):
        raise click.UsageError(f"--diff cannot be used with --format {arguments.output_format}")


def _options(arguments: _FixArguments, config: Config) -> FixOptions:
    wanted = config.fix
    return FixOptions(
        select=selected_codes(arguments.select, arguments.ignore, (wanted.select, wanted.ignore)),
        style=Style(arguments.style or wanted.style),
        untyped=wanted.untyped if arguments.untyped is None else arguments.untyped,
        generated=wanted.include_generated if arguments.include_generated is None else arguments.include_generated,
        decorators=frozenset(wanted.decorators),
        line_length=arguments.line_length or wanted.line_length or config.formatter_line_length,
        write=not (arguments.check or arguments.diff),
        diff=arguments.diff,
    )


def _fix_stdin(paths: Sequence[Path], arguments: _FixArguments, config: Config) -> int:
    from shapecheck.cli._stdin import fix_stdin  # noqa: PLC0415 - not needed for `--help`

    return fix_stdin(_options(arguments, config), import_roots(config, ()), arguments.stdin_filename)


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
    results = run(
        found.files, import_roots(config, wanted), options, arguments.jobs or config.jobs or available_cores()
    )
    report = FixReport(found, list(with_progress(results, len(found.files))), options)
    report.show("text" if arguments.diff else arguments.output_format or config.format, arguments.quiet, began)
    return report.exit_code()
