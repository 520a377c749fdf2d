"""`shapecheck check`: the options, and the run from paths to exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shapecheck.cli._output import output_files, print_problems
from shapecheck.cli._sources import (
    code_list,
    configuration,
    fail_on_option,
    folders,
    print_any_character,
    search,
    targets,
)
from shapecheck.config import SELECTABLE, Config
from shapecheck.diagnostics import FailOn
from shapecheck.diagnostics.codes import CHECKS
from shapecheck.diagnostics.render import FORMATS

if TYPE_CHECKING:
    from shapecheck.cli._checking import WatchedRun
    from shapecheck.cli._observations import Observations
    from shapecheck.project.files import FileSearch

_codes = code_list(SELECTABLE, "check")
_PROSE = ("text", "json")


@dataclass(frozen=True, slots=True)
class _CheckArguments:
    """What the command line says; None where it says nothing and the configuration decides."""

    quiet: bool
    exclude: tuple[str, ...]
    stats: bool
    show_shapes: bool
    write_baseline: bool
    no_baseline: bool
    no_cache: bool
    output: tuple[Path, ...]
    fail_on: FailOn
    select: frozenset[str] | None = None
    ignore: frozenset[str] | None = None
    output_format: str | None = None
    jobs: int | None = None
    baseline: Path | None = None


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATHS]...")
@click.option(
    "--select", callback=_codes, metavar="CODE[,CODE]", help="Report these codes only; `default` and `all` are sets."
)
@click.option("--ignore", callback=_codes, metavar="CODE[,CODE]", help="Leave these codes out.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out what matches, as in .gitignore.")
@click.option("--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Report only what is not in FILE.")
@click.option("--write-baseline", is_flag=True, help="Write what is found to the baseline instead of reporting it.")
@click.option("--no-baseline", is_flag=True, help="Report everything, whatever the configuration says.")
@click.option("--show-shapes", is_flag=True, help="Print the source with the shape of every tensor that is assigned.")
@click.option("--stats", is_flag=True, help="Say how much was understood, and why the rest was not.")
@click.option("--no-cache", is_flag=True, help="Run every file anew, and keep nothing for the next run.")
@click.option("--format", "output_format", type=click.Choice(list(FORMATS)), help="What is printed.  [default: text]")
@click.option(
    "--output", "-o", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
    help="Write a report too; can be given several times. The name tells the form: .json, .sarif, .xml (JUnit), .txt.",
)  # fmt: skip
@fail_on_option
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
@click.option("--quiet", "-q", is_flag=True, help="Print findings only: no summary.")
def command(paths: tuple[Path, ...], **given: Any) -> None:
    """Find calls that PyTorch would refuse, without running anything.

    PATHS are files and folders; none means the configured `paths`, else the working folder.

    Exit code: 0 clean, 1 errors or warnings (a file that does not parse is one), 2 could not run: a path is missing or
    cannot be read, a report cannot be written, the command or the configuration is wrong, or shapecheck itself failed
    somewhere. `shapecheck explain CODE` says what a finding means.
    """
    arguments = _CheckArguments(**given)
    print_any_character()
    config = configuration(paths[0] if paths else Path.cwd())
    form = arguments.output_format or config.format
    _refuse_contradictions(arguments, form)
    code = _check(paths, arguments, config, form)
    sys.stdout.flush()  # a closed pipe shows here, where click can end quietly
    raise click.exceptions.Exit(code)


def _refuse_contradictions(arguments: _CheckArguments, form: str) -> None:
    if arguments.no_baseline and (arguments.baseline or arguments.write_baseline):
        raise click.UsageError("--no-baseline does not go with --baseline or --write-baseline")
    for option, wanted in (("--stats", arguments.stats), ("--show-shapes", arguments.show_shapes)):
        if wanted and form not in _PROSE:
            raise click.UsageError(f"{option} goes with --format text or json, not {form}")


def _check(paths: Sequence[Path], arguments: _CheckArguments, config: Config, form: str) -> int:
    from shapecheck.cli._baseline import apply_baseline  # noqa: PLC0415 - what follows is not needed for `--help`
    from shapecheck.cli._check_report import CheckReport  # noqa: PLC0415
    from shapecheck.cli._checking import cache_key, check_all, check_watched, reported  # noqa: PLC0415
    from shapecheck.project.cache_file import CacheFile  # noqa: PLC0415
    from shapecheck.selection import Selection  # noqa: PLC0415

    began = time.perf_counter()
    selection = Selection(config, arguments.select, arguments.ignore)
    if selection.general().isdisjoint(CHECKS):
        raise click.UsageError("no check is left: everything selected is ignored too")
    baseline = _baseline(arguments, config)
    reports = output_files(arguments.output, FORMATS)
    if print_problems(reports.make_sure()):
        return 2
    wanted = targets(paths, config)
    found = search(wanted, arguments.exclude, config)
    roots = [config.root, *folders(wanted)]
    codes = selection.wanted()
    watched, from_cache = None, 0
    if arguments.stats or arguments.show_shapes:
        outcomes, watched = check_watched(found.files, roots, codes)
    else:
        kept = None if arguments.no_cache else CacheFile.of(_cache_folder(config), cache_key(wanted, roots, codes))
        checked = check_all(found.files, roots, codes, arguments.jobs or config.jobs, kept)
        outcomes, from_cache = checked.outcomes, checked.from_cache
    findings = CheckReport(found, reported(outcomes, selection, folders(wanted)), from_cache=from_cache)
    if baseline is not None:
        findings = apply_baseline(baseline, findings, arguments.write_baseline, selection.general())
    seen = _observations(arguments, watched, found)
    findings.show(form, arguments.quiet, began, seen)
    sys.stdout.flush()
    lost = list(reports.write(lambda form, stream: findings.write(form, stream, seen)))
    return 2 if print_problems(lost) else findings.exit_code(arguments.fail_on)


def _cache_folder(config: Config) -> Path:
    """Beside pyproject.toml; in the working folder where there is none."""
    return (Path.cwd() if config.file is None else config.root) / config.check.cache_dir


def _baseline(arguments: _CheckArguments, config: Config) -> Path | None:
    """The baseline's file, None where there is none; one that cannot be read is told before the work begins."""
    from shapecheck.cli._baseline import require_baseline_folder  # noqa: PLC0415

    configured = None if arguments.no_baseline else config.check.baseline
    file = arguments.baseline or (config.root / configured if configured else None)
    if file is None and arguments.write_baseline:
        raise click.UsageError("--write-baseline needs --baseline FILE, or `baseline` in the configuration")
    if file is not None and not arguments.write_baseline:
        require_baseline_folder(file)
    return file


def _observations(arguments: _CheckArguments, watched: WatchedRun | None, found: FileSearch) -> Observations:
    from shapecheck.cli._observations import Observations, shapes_of, stats_of  # noqa: PLC0415

    if watched is None:
        return Observations()
    return Observations(
        shapes_of(watched, found.files) if arguments.show_shapes else None,
        stats_of(watched, found.files) if arguments.stats else None,
    )
