"""Memory of a process that checks a file again after every edit, as the mypy daemon does: it must not grow.

python -m benchmarks.memory_after_edits FILE [--early N] [--edits N] [--alone] [--save]

The package that FILE belongs to is copied, with `--alone` only FILE itself. Every edit appends another assignment to
the copy, and is checked by a new project, in one process.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

from benchmarks import store
from benchmarks.ratios import Ratio
from shapecheck.diagnostics import DEFAULT_CHECKS
from shapecheck.project.modules import package_root
from shapecheck.static.entry.server import FindingsServer

TARGET = 1.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--early", type=int, default=50, help="number of edits before the first measurement")
    parser.add_argument("--edits", type=int, default=500, help="number of edits before the second measurement")
    parser.add_argument("--alone", action="store_true", help="skip the files that FILE imports")
    store.add_option(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        copied = copy_of(arguments.file.resolve(), Path(scratch), alone=arguments.alone)
        levels = measured(copied, {1, arguments.early, arguments.edits})
    for edits, megabytes in levels.items():
        print(f"after {edits} edits: {megabytes:.0f} MB")
    ratio = Ratio(
        f"memory after {arguments.edits} edits of {arguments.file.name}, to that after {arguments.early}",
        levels[arguments.edits] / levels[arguments.early],
        TARGET,
    )
    print(ratio.line())
    store.keep(arguments.save, "memory_after_edits", {"megabytes": levels}, ["shapecheck"], [ratio])


def copy_of(file: Path, scratch: Path, *, alone: bool) -> Path:
    """The file in a copy of its outermost package, or by itself."""
    root = package_root(file.parent)
    if alone or root == file.parent:
        return Path(shutil.copy(file, scratch))
    package = file.relative_to(root).parts[0]
    shutil.copytree(root / package, scratch / package)
    return scratch / file.relative_to(root)


def measured(file: Path, points: Collection[int]) -> dict[int, float]:
    """The resident memory in MB after so many edits."""
    text, levels = file.read_text(), {}
    for edit in range(1, max(points) + 1):
        file.write_text(f"{text}\n_EDIT = {edit}\n")
        FindingsServer([str(package_root(file.parent))]).findings(str(file), frozenset(DEFAULT_CHECKS))
        if edit in points:
            levels[edit] = resident_megabytes()
    return levels


def resident_megabytes() -> float:
    """What this process holds now, not its peak. Needs Linux's /proc."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]) * 1024 / 1e6


if __name__ == "__main__":
    main()
