"""`shapecheck diff BEFORE AFTER`: the differences between two reports of `shapecheck run --format json`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck import __version__
from shapecheck.cli._command import Command
from shapecheck.cli._options import format_option, option, quiet_option
from shapecheck.cli._sources import print_any_character
from shapecheck.diagnostics.counts import counted

if TYPE_CHECKING:
    from shapecheck.harness.compare import Difference


_EXIT_CODES = {
    0: "No differences, or only expected ones.",
    1: "Unexpected differences.",
    2: "Cannot run: a missing, unreadable or invalid report, or an invalid option.",
}


@click.command("diff", cls=Command, example="shapecheck diff before.json after.json", exit_codes=_EXIT_CODES)
@click.argument("reports", nargs=2, type=click.Path(path_type=Path), metavar="BEFORE AFTER")
@option(
    "--tolerance", type=click.FloatRange(min=0), metavar="FRACTION", default=0.05, show_default=True, group="Tolerance",
    help="Relative difference to accept in FLOPs, bytes and memory.",
)  # fmt: skip
@option(
    "--time-tolerance", type=click.FloatRange(min=0), metavar="FRACTION", default=0.5, show_default=True,
    group="Tolerance", help="Relative difference to accept in times, MFU and peak memory on the same device.",
)  # fmt: skip
@format_option(["text", "json"])
@quiet_option
def command(
    reports: tuple[Path, Path], output_format: str | None, tolerance: float, time_tolerance: float, quiet: bool
) -> None:
    """Compare two reports that `shapecheck run --format json` wrote.

    BEFORE and AFTER are JSON files. Differences that follow from the environment, such as times on another device, are
    expected and are listed separately.
    """
    from shapecheck.cli._run_report import earlier_report  # noqa: PLC0415 - not needed for `--help`
    from shapecheck.harness.compare import compare, important  # noqa: PLC0415
    from shapecheck.harness.compare_figures import Tolerance  # noqa: PLC0415

    print_any_character()
    before, after = map(earlier_report, reports)
    found = compare(before, after, Tolerance(tolerance, time_tolerance))
    unexpected = important(found)
    shown = unexpected if quiet else found
    if output_format == "json":
        sys.stdout.writelines(_as_json(shown, len(unexpected)))
    else:
        sys.stdout.writelines(_as_text(shown))
        if not quiet:
            sys.stdout.write(_summary(len(unexpected), len(found)))
    sys.stdout.flush()  # a closed pipe raises here, where click can exit quietly
    raise click.exceptions.Exit(int(bool(unexpected)))


def _as_json(differences: Sequence[Difference], unexpected: int) -> Iterator[str]:
    rows = [
        {"kind": one.kind.value, "case": one.case, "what": one.what, "before": one.before, "after": one.after}
        | {"expected": one.expected}
        for one in differences
    ]
    tool = {"name": "shapecheck", "version": __version__}
    summary = {"important": unexpected, "expected": sum(one.expected for one in differences)}
    yield json.dumps({"version": 1, "tool": tool, "differences": rows, "summary": summary}, indent=2) + "\n"


def _as_text(differences: Sequence[Difference]) -> Iterator[str]:
    """The unexpected differences under the names of their cases, then the expected ones."""
    for expected in (False, True):
        ours = [one for one in differences if one.expected is expected]
        if expected and ours:
            yield "expected, because the environments differ:\n"
        for case, group in groupby(ours, lambda one: one.case):
            indent = "  " * expected
            yield f"{indent}{case or 'the whole run'}\n"
            yield from (f"{indent}  {_line(one)}\n" for one in group)
        if ours:
            yield "\n"


def _summary(unexpected: int, total: int) -> str:
    found = f"Found {counted(unexpected, 'difference')}" if unexpected else "No unexpected differences"
    expected = total - unexpected
    return f"{found} ({expected:,} expected)\n" if expected else f"{found}\n"


def _line(one: Difference) -> str:
    name = f"{one.kind.value}: {one.what}" if one.what else one.kind.value
    if not one.before:
        return f"{name}: only in AFTER: {one.after}"
    if not one.after:
        return f"{name}: only in BEFORE: {one.before}"
    return f"{name}: {one.before} => {one.after}"
