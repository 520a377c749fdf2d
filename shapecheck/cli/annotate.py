"""`shapecheck annotate`: the options, and the run from paths to exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shapecheck.annotate.model import AnnotateOptions
from shapecheck.cli._command import Command
from shapecheck.cli._errors import usage_failure
from shapecheck.cli._options import changing_options, jobs_option, line_length_option, option, quiet_option
from shapecheck.cli._sources import (
    STDIN,
    configuration,
    import_roots,
    print_any_character,
    refuse_mixed_stdin,
    search,
    start_of,
    targets,
)
from shapecheck.config import Config

if TYPE_CHECKING:
    from shapecheck.cli._verification import Verification
    from shapecheck.record.store import RecordedFunction

_SEPARATOR = "::"
_EXIT_CODES = {
    0: "Nothing to annotate, or everything was annotated.",
    1: "A file would change (--check, --diff).",
    2: "Cannot run: a missing, unreadable or invalid file, or an invalid option or configuration.",
}


@dataclass(frozen=True, slots=True)
class _Arguments:
    """The command line; None where an option is not given and the configuration decides."""

    check: bool
    diff: bool
    quiet: bool
    keep: bool
    noqa: bool | None
    verify: bool
    exclude: tuple[str, ...]
    records: tuple[Path, ...]
    only: str | None = None
    explain: str | None = None
    include_generated: bool | None = None
    line_length: int | None = None
    jobs: int | None = None
    stdin_filename: Path | None = None


@click.command("annotate", cls=Command, example="shapecheck annotate --diff src/", exit_codes=_EXIT_CODES)
@click.argument("paths", nargs=-1, type=str, metavar="[PATHS]...")
@option(
    "--only", metavar="NAME[,NAME]", group="Selection",
    help="Annotate only functions of this name, such as forward.",
)  # fmt: skip
@option(
    "--from", "records", multiple=True, type=click.Path(path_type=Path), metavar="FILE", group="Selection",
    help="Also use the calls that shapecheck record wrote to FILE (repeatable).",
)  # fmt: skip
@changing_options
@option("--keep", is_flag=True, group="Changes", help="Leave parameters that are annotated with Tensor as they are.")
@option(
    "--verify", is_flag=True, group="Changes",
    help="Run the annotated models first, and drop what a run contradicts. Files are imported.",
)  # fmt: skip
@option(
    "--noqa/--no-noqa", default=None, group="Changes",
    help="Add a comment for ruff's rule F722.  [default: if ruff's configuration selects it]",
)  # fmt: skip
@line_length_option
@option(
    "--explain", metavar="PATH::FUNCTION", group="Output",
    help="Write nothing; show where each dimension of a function comes from.",
)  # fmt: skip
@quiet_option
@jobs_option()
def command(paths: tuple[str, ...], **given: Any) -> None:
    """Write the shape annotations that the code already implies.

    PATHS are files and directories; FILE::Class.forward is one function, FILE::Class the methods of a class. Without
    PATHS, annotate the configured `paths`, or the working directory. With `-`, annotate standard input and write the
    result to standard output.
    """
    arguments = _Arguments(**given)
    if arguments.explain is not None:
        paths = (arguments.explain,)
    wanted = [Path(one.partition(_SEPARATOR)[0]) for one in paths]
    _refuse_contradictions(wanted, arguments)
    print_any_character()
    config = configuration(start_of(wanted, arguments.stdin_filename))
    options = _options(arguments, config, paths)
    code = _run_stdin(arguments, config, options) if wanted == [STDIN] else _run(wanted, arguments, config, options)
    sys.stdout.flush()  # a closed pipe raises here, where click can exit quietly
    raise click.exceptions.Exit(code)


def _refuse_contradictions(paths: Sequence[Path], arguments: _Arguments) -> None:
    refuse_mixed_stdin(paths, arguments.stdin_filename)
    if arguments.verify and STDIN in paths:
        raise click.UsageError("--verify cannot be used with standard input")
    if arguments.explain is not None and _SEPARATOR not in arguments.explain:
        raise click.UsageError(f"--explain: expected PATH::FUNCTION, got {arguments.explain}")


def _options(arguments: _Arguments, config: Config, paths: Sequence[str]) -> AnnotateOptions:
    from shapecheck.annotate.lint_settings import selects_rule  # noqa: PLC0415 - not needed for `--help`

    selected: dict[Path, set[str]] = {}
    for one in paths:
        path, _, name = one.partition(_SEPARATOR)
        if name:
            selected.setdefault(Path(path).absolute(), set()).add(name)
    return AnnotateOptions(
        only=frozenset(name for name in (arguments.only or "").split(",") if name),
        selected={path: frozenset(names) for path, names in selected.items()},
        keep=arguments.keep,
        generated=bool(arguments.include_generated),
        line_length=arguments.line_length or config.formatter_line_length,
        noqa=selects_rule(config.root) if arguments.noqa is None else arguments.noqa,
        write=not (arguments.check or arguments.diff or arguments.explain),
        diff=arguments.diff,
        recorded=_recorded(arguments.records),
    )


def _recorded(files: Sequence[Path]) -> list[RecordedFunction]:
    from shapecheck.record.store import RecordError, read_records  # noqa: PLC0415

    try:
        return [one for file in files for one in read_records(file)]
    except RecordError as error:
        raise usage_failure(error) from None


def _run(wanted: Sequence[Path], arguments: _Arguments, config: Config, options: AnnotateOptions) -> int:
    from shapecheck.annotate.reusing import Surroundings  # noqa: PLC0415
    from shapecheck.annotate.run import run  # noqa: PLC0415
    from shapecheck.cli._annotate_report import AnnotateReport  # noqa: PLC0415
    from shapecheck.project.parallel import available_cores  # noqa: PLC0415
    from shapecheck.project.write import remove_leftovers  # noqa: PLC0415

    began = time.perf_counter()
    places = targets(wanted, config)
    found = search(places, arguments.exclude, config, notebooks=False)
    if options.write:
        remove_leftovers(found.leftovers)
    jobs = arguments.jobs or config.jobs or available_cores()
    verification = _verification(config, jobs) if arguments.verify else None
    if verification is not None:
        options = replace(options, trial=verification)
    results = run(found.files, Surroundings(import_roots(config, places), (), jobs), options)
    report = AnnotateReport(found, results, options, () if verification is None else verification.summary())
    if arguments.explain is not None:
        return report.explain()
    report.show(arguments.quiet, began)
    return report.exit_code()


def _verification(config: Config, jobs: int) -> Verification:
    from shapecheck.cli._verification import Verification  # noqa: PLC0415

    return Verification(config, jobs)


def _run_stdin(arguments: _Arguments, config: Config, options: AnnotateOptions) -> int:
    from shapecheck.cli._annotate_stdin import annotate_stdin  # noqa: PLC0415

    return annotate_stdin(options, import_roots(config, ()), arguments.stdin_filename)
