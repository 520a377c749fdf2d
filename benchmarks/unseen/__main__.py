"""Checks public packages drawn at random, and counts lines for each false positive.

    python -m benchmarks.unseen DIRECTORY [--count N] [--seed N] [--names FILE] [--jobs N] [--judge]

The first run draws the packages from the index that pip is configured to use: projects with `torch` in their names, or
those of FILE, in a random order, without those of the primer. It writes DIRECTORY/packages.toml; later runs use the
same packages. They are only read: nothing of them is executed. A person writes a verdict about each finding into
DIRECTORY/judged.toml, before any cause is repaired. Exit codes as of the primer.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import measure
from benchmarks.command_line import positive
from benchmarks.primer import __main__ as primer
from benchmarks.primer.errors import FetchError
from benchmarks.primer.fetching import is_inside_repository
from benchmarks.primer.packages import Archive, pinned
from benchmarks.unseen.drawing import drawn, project_names

_GOAL = 500_000
"""Lines for each false positive, at least."""


def main(argv: Sequence[str] | None = None, repository: Path = measure.ROOT) -> int:
    options = _options(argv)
    pins, judged = options.directory / "packages.toml", options.directory / "judged.toml"
    if not pins.exists():
        try:
            _draw(options, pins)
        except FetchError as error:
            print(error, file=sys.stderr)
            return 3
    judged.touch()
    figures = options.directory / "figures.json"
    figures.unlink(missing_ok=True)
    arguments = [str(options.directory / "source"), "--no-stats", "--jobs", str(options.jobs), "--json", str(figures)]
    status = primer.main([*arguments, *(["--judge"] if options.judge else [])], repository, pins, judged)
    if figures.exists():
        print(rate(json.loads(figures.read_text())), file=sys.stderr if options.judge else sys.stdout)
    return status


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.unseen", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path, metavar="DIRECTORY", help="outside of the repository")
    parser.add_argument("--count", type=positive, default=50, metavar="N", help="packages to draw; by default 50")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another number draws other packages")
    parser.add_argument("--names", type=Path, metavar="FILE", help="draw from the projects of FILE, one name a line")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="packages at a time; by default 1")
    parser.add_argument("--judge", action="store_true", help="print only the entries that judged.toml lacks")
    options = parser.parse_args(argv)
    options.directory = options.directory.absolute()
    if is_inside_repository(options.directory):
        parser.error(f"DIRECTORY must be outside of the repository, got {options.directory}")
    if options.names is not None and not options.names.is_file():
        parser.error(f"no such file: {options.names}")
    return options


def _draw(options: argparse.Namespace, pins: Path) -> None:
    known = [one.name for one in pinned()]
    packages = list(drawn(project_names(options.names), known, options.seed, options.count))
    options.directory.mkdir(parents=True, exist_ok=True)
    part = pins.with_suffix(".part")
    part.write_text("\n".join(map(_pin, packages)))
    part.replace(pins)  # a draw that is interrupted leaves no list


def _pin(package: Archive) -> str:
    fields = ("name", "version", "field", "file", "sha256")
    return "".join(["[[archive]]\n", *(f'{name} = "{getattr(package, name)}"\n' for name in fields)])


def rate(packages: Iterable[dict[str, Any]]) -> str:
    """The lines for each false positive among the warnings and errors, and the goal."""
    packages = list(packages)
    lines = sum(one["lines"] for one in packages)
    findings = [each for one in packages for each in one["findings"] if each["severity"] in ("warning", "error")]
    false = sum(each["verdict"] == "false" for each in findings)
    unjudged = sum(each["verdict"] is None for each in findings)
    each = f"one false positive in {lines // false:,} lines" if false else f"no false positive in {lines:,} lines"
    left = f"; {unjudged} are not judged" if unjudged else ""
    return f"Warnings and errors: {len(findings)}, {each} (goal: {_GOAL:,}){left}"


if __name__ == "__main__":
    sys.exit(main())
