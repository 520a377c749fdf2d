"""Compares the findings of two revisions of shapecheck on the same source.

    python -m benchmarks.compare_revisions BASE [HEAD] [--packages DIRECTORY] [--only NAME ...]

BASE and HEAD are revisions of this repository, or directories with a checkout. HEAD defaults to the working tree. Each
runs `check` on the cases and examples of the working tree, and on the packages pinned in packages.txt. Exit code: 0
identical, 1 different, 2 could not run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import measure
from benchmarks.compare_revisions.checking import CheckFailed, difference
from benchmarks.compare_revisions.packages import PINS, pinned
from benchmarks.compare_revisions.report import lines
from benchmarks.compare_revisions.revisions import RevisionError, checked_out
from benchmarks.compare_revisions.stored import Checks
from benchmarks.compare_revisions.targets import Target, package_targets, repository_targets


def main(argv: Sequence[str] | None = None, repository: Path = measure.ROOT, pins: Path = PINS) -> int:
    options = _options(argv, pins)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        targets = repository_targets(repository, scratch)
        if options.packages is not None:
            targets += package_targets(pinned(pins), options.packages.absolute())
        chosen = [one for one in targets if not options.only or one.name in options.only]
        try:
            different = _compare(options, repository, scratch, chosen)
        except (CheckFailed, RevisionError) as error:
            print(error, file=sys.stderr)
            return 2
    print(f"different: {', '.join(different)}" if different else "identical")
    return int(bool(different))


def _options(argv: Sequence[str] | None, pins: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.compare_revisions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    packages = [one.name for one in pinned(pins)]
    parser.add_argument("base", metavar="BASE")
    parser.add_argument("head", metavar="HEAD", nargs="?", help="by default, the working tree")
    parser.add_argument(
        "--packages",
        type=Path,
        metavar="DIRECTORY",
        help="directory in which to keep the packages; by default, packages are skipped",
    )
    parser.add_argument("--only", nargs="+", choices=["cases", "examples", *packages], default=[], metavar="NAME")
    parser.add_argument(
        "--stats", action="store_true", help="also print how much of the code was understood; `check` uses one process"
    )
    parser.add_argument("--results", type=Path, metavar="DIRECTORY", help="save the results of commits and reuse them")
    options = parser.parse_args(argv)
    if options.packages is None and {*options.only} & {*packages}:
        parser.error("packages require --packages DIRECTORY")
    return options


def _compare(options: argparse.Namespace, repository: Path, scratch: Path, targets: Sequence[Target]) -> list[str]:
    """The names of the targets on which the revisions differ."""
    different = []
    checks = Checks(scratch, options.results, options.stats)
    with ExitStack() as stack:
        base, head = (
            stack.enter_context(checked_out(repository, name, scratch / side))
            for side, name in (("base", options.base), ("head", options.head or str(repository)))
        )
        for target in targets:
            sources = target.prepare()
            before, after = (checks.result(revision, target.name, sources) for revision in (base, head))
            found = difference(before, after)
            print("\n".join(lines(target.name, before, after, found)), flush=True)
            if found or before.files != after.files:
                different.append(target.name)
    return different


if __name__ == "__main__":
    sys.exit(main())
