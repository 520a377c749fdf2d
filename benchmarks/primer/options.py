"""The command line of the primer."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks import store
from benchmarks.primer.fetching import default_directory, is_inside_repository
from benchmarks.primer.packages import Package


def parsed(description: str | None, argv: Sequence[str] | None, packages: Sequence[Package]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.primer", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "directory",
        type=Path,
        nargs="?",
        default=default_directory(),
        metavar="DIRECTORY",
        help="where to keep the packages, outside of the repository; by default ~/.cache/shapecheck/primer",
    )
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--only", nargs="+", choices=[one.name for one in packages], default=[], metavar="NAME")
    chosen.add_argument("--quick", action="store_true", help="the three small packages that CI checks")
    parser.add_argument("--list", action="store_true", help="list the packages; check none")
    parser.add_argument(
        "--against", metavar="REV", help="also print what the working tree adds and removes; a revision or a directory"
    )
    parser.add_argument(
        "--judge", action="store_true", help="print only the entries that judged.toml lacks; the rest goes to stderr"
    )
    parser.add_argument(
        "--no-stats",
        dest="stats",
        action="store_false",
        help="check without --stats, which is faster; ranks, sizes and files cut short are not shown",
    )
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="packages at a time")
    parser.add_argument("--results", type=Path, metavar="DIRECTORY", help="save the results of commits and reuse them")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write figures, findings and verdicts to FILE")
    store.add_option(parser)
    options = parser.parse_args(argv)
    options.directory = options.directory.absolute()
    if is_inside_repository(options.directory):
        parser.error(f"DIRECTORY must be outside of the repository, got {options.directory}")
    return options


def positive(text: str) -> int:
    """A number of jobs, for a command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text}")
    return int(text)
