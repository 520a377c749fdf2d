"""`shapecheck check`: the options, and the run from paths to exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from shapecheck.cli._command import Command
from shapecheck.cli._options import (
    codes_options,
    exclude_option,
    fail_on_option,
    format_option,
    jobs_option,
    option,
    output_option,
    quiet_option,
)
from shapecheck.cli._output import output_files, print_problems
from shapecheck.cli._sources import configuration, directories, print_any_character, search, targets
from shapecheck.config import SELECTABLE, Config
from shapecheck.diagnostics import FailOn
from shapecheck.diagnostics.codes import CHECKS
from shapecheck.diagnostics.render import FORMATS

if TYPE_CHECKING:
    from shapecheck.cli._checking import SearchPaths, WatchedRun
    from shapecheck.cli._observations import Observations
    from shapecheck.project.cache_file import CacheFile
    from shapecheck.project.files import FileSearch

_OBSERVING_FORMATS = ("text", "json")
"""The formats that can show `--stats` and `--show-shapes`."""
_EXIT_CODES = {
    0: "No errors or warnings.",
    1: "Errors or warnings, syntax errors included; see --fail-on.",
    2: "Cannot run: a missing or unreadable path, a report that cannot be written, an invalid option or "
    "configuration, or an internal error.",
}


class _CheckArguments(NamedTuple):
    """The command line; None where an option is not given and the configuration decides."""

    quiet: bool
    exclude: tuple[str, ...]
    stats: bool
    show_shapes: bool
    write_baseline: bool
    no_baseline: bool
    no_cache: bool
    no_site_packages: bool
    output: tuple[Path, ...]
    fail_on: FailOn
    select: frozenset[str] | None = None
    ignore: frozenset[str] | None = None
    output_format: str | None = None
    jobs: int | None = None
    baseline: Path | None = None
    python: Path | None = None


@click.command("check", cls=Command, example="shapecheck check src/", exit_codes=_EXIT_CODES)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATHS]...")
@codes_options(SELECTABLE)
@exclude_option
@option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE", group="Baseline",
    help="Report only findings that are not in FILE.",
)  # fmt: skip
@option("--write-baseline", is_flag=True, group="Baseline", help="Write all findings to the baseline; report none.")
@option("--no-baseline", is_flag=True, group="Baseline", help="Ignore the baseline of the configuration.")
@format_option(list(FORMATS))
@output_option
@option("--show-shapes", is_flag=True, group="Output", help="Print the source with the shape of every assigned tensor.")
@option("--stats", is_flag=True, group="Output", help="Print how much of the code was understood, and why not all.")
@fail_on_option
@quiet_option
@jobs_option()
@option(
    "--python", type=click.Path(path_type=Path), metavar="PATH", group="Libraries",
    help="Read libraries of this environment or interpreter.",
)  # fmt: skip
@option("--no-site-packages", is_flag=True, group="Libraries", help="Do not read the source of installed libraries.")
@option("--no-cache", is_flag=True, group="Performance", help="Check every file again; read and write no cache.")
def command(paths: tuple[Path, ...], **given: Any) -> None:
    """Find calls that PyTorch would reject, without running the code.

    PATHS are files and directories. Without PATHS, check the configured `paths`, or the working directory.

    CODE is the code of a rule, or one of the sets `default` and `all`. Run `shapecheck explain` for a list of codes,
    and `shapecheck explain CODE` for the page of one.
    """
    from shapecheck.project.garbage import garbage_collection  # noqa: PLC0415 - not needed for `--help`

    arguments = _CheckArguments(**given)
    print_any_character()
    with garbage_collection(wanted=False):  # a tenth of the time
        config = configuration(paths[0] if paths else Path.cwd())
        form = arguments.output_format or config.format
        _refuse_contradictions(arguments, form)
        code = _check(paths, arguments, config, form)
    sys.stdout.flush()  # a closed pipe raises here, where click can exit quietly
    raise click.exceptions.Exit(code)


def _refuse_contradictions(arguments: _CheckArguments, form: str) -> None:
    if arguments.no_baseline and (arguments.baseline or arguments.write_baseline):
        raise click.UsageError("--no-baseline cannot be used with --baseline or --write-baseline")
    for name, wanted in (("--stats", arguments.stats), ("--show-shapes", arguments.show_shapes)):
        if wanted and form not in _OBSERVING_FORMATS:
            raise click.UsageError(f"{name} requires --format text or json, got {form}")


def _check(paths: Sequence[Path], arguments: _CheckArguments, config: Config, form: str) -> int:
    from shapecheck.cli._check_report import CheckReport  # noqa: PLC0415 - what follows is not needed for `--help`
    from shapecheck.cli._checking import (  # noqa: PLC0415
        CheckPlan,
        SearchPaths,
        check_all,
        check_watched,
        cut_short,
    )
    from shapecheck.cli._progress import ProgressBar  # noqa: PLC0415
    from shapecheck.cli._stream import stream_for  # noqa: PLC0415
    from shapecheck.selection import Selection, reported  # noqa: PLC0415

    began = time.perf_counter()
    selection = Selection(config, arguments.select, arguments.ignore)
    if selection.general().isdisjoint(CHECKS):
        raise click.UsageError("no code is enabled: all selected codes are ignored")
    baseline = _baseline(arguments, config)
    reports = output_files(arguments.output, FORMATS)
    if print_problems(reports.problems()):
        return 2
    wanted = targets(paths, config)
    found = search(wanted, arguments.exclude, config)
    search_paths = SearchPaths([config.root, *directories(wanted)], _libraries(arguments, config))
    codes = selection.wanted()
    watched, from_cache, stream = None, 0, None
    if arguments.stats or arguments.show_shapes:
        outcomes, watched = check_watched(found.files, search_paths, codes)
    else:
        kept = None if arguments.no_cache else _cache_file(config, wanted, search_paths, codes)
        bar = ProgressBar(len(found.files))
        stream = None if baseline is not None else stream_for(found, selection, bar, form)
        plan = CheckPlan(search_paths, codes, arguments.jobs or config.jobs, kept)
        checked = check_all(found.files, plan, bar, bool if stream is None else stream.add)
        outcomes, from_cache = checked.outcomes, checked.from_cache
    suppressed = reported(outcomes, selection, directories(wanted))
    findings = CheckReport(found, suppressed, from_cache=from_cache, cut_short=cut_short(outcomes))
    if baseline is not None:
        from shapecheck.cli._baseline import apply_baseline  # noqa: PLC0415

        findings = apply_baseline(baseline, findings, arguments.write_baseline, selection.general())
    seen = _observations(arguments, watched, found)
    findings.show(form, arguments.quiet, began, seen, stream)
    sys.stdout.flush()
    lost = list(reports.write(lambda form, stream: findings.write(form, stream, seen)))
    return 2 if print_problems(lost) else findings.exit_code(arguments.fail_on)


def _cache_file(config: Config, wanted: Sequence[Path], paths: SearchPaths, codes: frozenset[str]) -> CacheFile:
    """Next to pyproject.toml, or in the working directory if there is none."""
    from shapecheck.cli._checking import cache_key  # noqa: PLC0415
    from shapecheck.project.cache_file import CacheFile  # noqa: PLC0415 - not needed with --no-cache

    folder = (Path.cwd() if config.file is None else config.root) / config.check.cache_dir
    return CacheFile.of(folder, cache_key(wanted, paths, codes, folder))


def _libraries(arguments: _CheckArguments, config: Config) -> list[Path]:
    """The directories with installed libraries whose source is read."""
    from shapecheck.project.environment import installed_libraries  # noqa: PLC0415

    if arguments.no_site_packages or not (config.check.site_packages or arguments.python):
        return []
    configured = config.root / config.check.python if config.check.python else None
    python = arguments.python or configured
    found = installed_libraries(python, config.root)
    if python is not None and not found:
        raise click.UsageError(f"--python: expected an environment or its interpreter, got {python}")
    return found


def _baseline(arguments: _CheckArguments, config: Config) -> Path | None:
    """The baseline file, if any; one that cannot be read is reported before the work begins."""
    configured = None if arguments.no_baseline else config.check.baseline
    file = arguments.baseline or (config.root / configured if configured else None)
    if file is None and arguments.write_baseline:
        raise click.UsageError("--write-baseline requires --baseline FILE, or `baseline` in the configuration")
    if file is not None and not arguments.write_baseline:
        from shapecheck.cli._baseline import require_readable_baseline  # noqa: PLC0415

        require_readable_baseline(file)
    return file


def _observations(arguments: _CheckArguments, watched: WatchedRun | None, found: FileSearch) -> Observations:
    from shapecheck.cli._observations import Observations, shapes_of, stats_of  # noqa: PLC0415

    if watched is None:
        return Observations()
    return Observations(
        shapes_of(watched, found.files) if arguments.show_shapes else None,
        stats_of(watched, found.files) if arguments.stats else None,
    )
