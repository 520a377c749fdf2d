"""Arguments that the command lines of several benchmarks have."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.primer.fetching import default_directory, is_inside_repository


def parser_of(module: str, description: str | None, kept: str) -> argparse.ArgumentParser:
    """The parser of `python -m benchmarks.<module>`, with the directory for what is downloaded; `kept` describes it."""
    parser = argparse.ArgumentParser(
        f"python -m benchmarks.{module}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "directory",
        type=Path,
        nargs="?",
        default=default_directory(),
        metavar="DIRECTORY",
        help=f"where to keep the {kept}, outside of the repository; by default ~/.cache/shapecheck/primer",
    )
    return parser


def add_chosen(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    """`--only` and `--quick`, which exclude each other."""
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--only", nargs="+", choices=names, default=[], metavar="NAME")
    chosen.add_argument("--quick", action="store_true", help="the three small packages that CI checks")


def finished(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> argparse.Namespace:
    """The options; a directory inside the repository is an error."""
    options = parser.parse_args(argv)
    options.directory = options.directory.absolute()
    if is_inside_repository(options.directory):
        parser.error(f"DIRECTORY must be outside of the repository, got {options.directory}")
    return options


def positive(text: str) -> int:
    """A number of jobs."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text}")
    return int(text)
