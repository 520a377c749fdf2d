"""Compares the findings of two revisions of shapecheck on the cases and the examples.

    python -m benchmarks.compare_revisions BASE [HEAD] [--only NAME ...]

BASE and HEAD are revisions of this repository, or directories with a checkout. HEAD defaults to the working tree. Both
check the cases and the examples of the working tree; `python -m benchmarks.primer --against BASE` does the same for
public packages. Exit code: 0 identical, 1 different, 2 could not run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import measure, trees
from benchmarks.check_runs.checking import CheckFailed
from benchmarks.check_runs.differences import difference, lines, stats_lines
from benchmarks.check_runs.revisions import RevisionError, checked_out
from benchmarks.check_runs.sources import Sources
from benchmarks.check_runs.stored import Checks

_PATHS = {"cases": "tests/cases", "examples": "examples"}


def main(argv: Sequence[str] | None = None, repository: Path = measure.ROOT) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory() as folder:
        try:
            different = _compare(options, repository, Path(folder).resolve())
        except (CheckFailed, RevisionError) as error:
            print(error, file=sys.stderr)
            return 2
    print(f"different: {', '.join(different)}" if different else "identical")
    return int(bool(different))


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.compare_revisions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("base", metavar="BASE")
    parser.add_argument("head", metavar="HEAD", nargs="?", help="by default, the working tree")
    parser.add_argument("--only", nargs="+", choices=[*_PATHS], default=[*_PATHS], metavar="NAME")
    parser.add_argument(
        "--stats", action="store_true", help="also print how much of the code was understood; `check` uses one process"
    )
    parser.add_argument("--results", type=Path, metavar="DIRECTORY", help="save the results of commits and reuse them")
    return parser.parse_args(argv)


def _compare(options: argparse.Namespace, repository: Path, scratch: Path) -> list[str]:
    """The names of the directories on which the revisions differ."""
    different = []
    checks = Checks(scratch, options.results, options.stats)
    with ExitStack() as stack:
        base, head = (
            stack.enter_context(checked_out(repository, name, scratch / side))
            for side, name in (("base", options.base), ("head", options.head or str(repository)))
        )
        for name in options.only:
            sources = _copy(repository, name, scratch / name)
            before, after = (checks.result(revision, name, sources) for revision in (base, head))
            found = difference(before, after)
            print("\n".join([*lines(name, before, after, found), *stats_lines(before, after)]), flush=True)
            if found or before.files != after.files:
                different.append(name)
    return different


def _copy(repository: Path, name: str, scratch: Path) -> Sources:
    """The programs of the working tree, copied so that neither revision has its own version of them."""
    path = _PATHS[name]
    trees.copy_sources(repository / path, scratch / path)
    if name == "cases":
        for file in (scratch / path).glob("*.py"):
            file.unlink()
    return Sources(scratch, path)


if __name__ == "__main__":
    sys.exit(main())
