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
from shapecheck.cli._errors import usage_failure
from shapecheck.cli._sources import print_any_character

if TYPE_CHECKING:
    from shapecheck.harness.compare import Difference
    from shapecheck.harness.results import RunReport


@click.command("diff")
@click.argument("reports", nargs=2, type=click.Path(path_type=Path), metavar="BEFORE AFTER")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--tolerance", type=click.FloatRange(min=0), default=0.05, show_default=True,
    help="By what part FLOPs, bytes and memory may differ.",
)  # fmt: skip
@click.option(
    "--time-tolerance", type=click.FloatRange(min=0), default=0.5, show_default=True,
    help="By what part times, MFU and peaks of memory may differ on the same device.",
)  # fmt: skip
@click.option("--quiet", "-q", is_flag=True, help="Leave out what is expected.")
def command(reports: tuple[Path, Path], form: str, tolerance: float, time_tolerance: float, quiet: bool) -> None:
    """Say what differs between two reports that `shapecheck run --format json` made.

    What follows from the environment, such as the time on another device, is expected and stands apart.

    Exit code: 0 nothing differs but what is expected, 1 something does, 2 a file cannot be read or is no such report.
    """
    from shapecheck.harness.compare import compare, important  # noqa: PLC0415 - not needed for `--help`
    from shapecheck.harness.compare_figures import Tolerance  # noqa: PLC0415

    print_any_character()
    before, after = map(_read, reports)
    found = compare(before, after, Tolerance(tolerance, time_tolerance))
    matter = important(found)
    shown = matter if quiet else found
    sys.stdout.writelines(_as_json(shown, len(matter)) if form == "json" else _as_text(shown, len(matter)))
    sys.stdout.flush()  # a closed pipe shows here, where click can end quietly
    raise click.exceptions.Exit(int(bool(matter)))


def _read(path: Path) -> RunReport:
    from shapecheck.harness.serialization import ReportError, read_report  # noqa: PLC0415

    try:
        return read_report(path)
    except ReportError as error:
        raise usage_failure(error) from error


def _as_json(differences: Sequence[Difference], matter: int) -> Iterator[str]:
    rows = [
        {"kind": one.kind.value, "case": one.case, "what": one.what, "before": one.before, "after": one.after}
        | {"expected": one.expected}
        for one in differences
    ]
    tool = {"name": "shapecheck", "version": __version__}
    summary = {"important": matter, "expected": sum(one.expected for one in differences)}
    yield json.dumps({"version": 1, "tool": tool, "differences": rows, "summary": summary}, indent=2) + "\n"


def _as_text(differences: Sequence[Difference], matter: int) -> Iterator[str]:
    """What matters under the name of its case, then what is expected."""
    for expected in (False, True):
        ours = [one for one in differences if one.expected is expected]
        if expected and ours:
            yield f"expected, because of what the runs were made on: {len(ours):,}\n"
        for case, group in groupby(ours, lambda one: one.case):
            indent = "  " * expected
            yield f"{indent}{case or 'the whole run'}\n"
            yield from (f"{indent}  {_in_words(one)}\n" for one in group)
        if ours:
            yield "\n"
    yield f"{matter:,} difference{'' if matter == 1 else 's'}\n" if matter else "no difference of importance\n"


def _in_words(one: Difference) -> str:
    name = f"{one.kind.value}: {one.what}" if one.what else one.kind.value
    if not one.before:
        return f"{name}: only after: {one.after}"
    if not one.after:
        return f"{name}: only before: {one.before}"
    return f"{name}: {one.before} => {one.after}"
