"""The command line of the primer."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks import store
from benchmarks.command_line import add_chosen, finished, parser_of, positive
from benchmarks.primer.packages import Package


def parsed(description: str | None, argv: Sequence[str] | None, packages: Sequence[Package]) -> argparse.Namespace:
    parser = parser_of("primer", description, "packages")
    add_chosen(parser, [one.name for one in packages])
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
    return finished(parser, argv)
