"""The command line of the real bugs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks import store
from benchmarks.command_line import finished, parser_of, positive
from benchmarks.real_bugs.bugs import Bug


def parsed(description: str | None, argv: Sequence[str] | None, bugs: Sequence[Bug]) -> argparse.Namespace:
    parser = parser_of("real_bugs", description, "commits")
    parser.add_argument("--only", nargs="+", choices=[one.name for one in bugs], default=[], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="list the bugs; check nothing")
    parser.add_argument("--package", action="store_true", help="check the top-level directory of each file; takes long")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="bugs at a time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write bugs and findings to FILE")
    store.add_option(parser)
    return finished(parser, argv)
