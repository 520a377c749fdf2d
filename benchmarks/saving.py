"""The time of `shapecheck check` after a file was saved: for the whole directory, with a warm cache.

python -m benchmarks.saving DIRECTORY... [--edits N] [--body] [--save]

Each DIRECTORY is copied. N of its files, evenly spread, get a comment at their end, or with `--body` a statement in
their first function, one at a time. Times are processor times, which other load on the machine affects little.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import measure, store
from benchmarks.ratios import Ratio

_FUNCTION = re.compile(r"^([ \t]*)def \w+\([^\n]*:\n", re.MULTILINE)
TARGET = 1
TIMES = ("first", "unchanged", "saved", "slowest")
CHECK = (*measure.SHAPECHECK, "check", "--quiet")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIRECTORY")
    parser.add_argument("--edits", type=int, default=9)
    parser.add_argument("--body", action="store_true", help="add a statement to a function instead of a comment")
    store.add_option(parser)
    arguments = parser.parse_args()
    figures = {folder.name: measured(folder, arguments.edits, body=arguments.body) for folder in arguments.folders}
    rows: list[tuple[object, ...]] = [
        ("folder", "files", "first run", "nothing changed", "a file saved", "slowest of them")
    ]
    rows += [(name, one["files"], *(f"{one[key]:.2f} s" for key in TIMES)) for name, one in figures.items()]
    print(measure.table(rows))
    ratios = [
        Ratio(
            f"check of {name} after a file was saved, relative to the first check", one["saved"] / one["first"], TARGET
        )
        for name, one in figures.items()
    ]
    print(*(one.line() for one in ratios), sep="\n")
    store.keep(arguments.save, "saving", {"folders": figures}, ["shapecheck"], ratios)


def measured(source: Path, edits: int, *, body: bool = False) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(source, Path(scratch, source.name)))
        (folder.parent / "pyproject.toml").touch()
        files = sorted(folder.rglob("*.py"))
        first, unchanged = (_checked(folder) for _ in range(2))
        saved = []
        for file in files[:: max(1, len(files) // edits)][:edits]:
            text = file.read_text()
            file.write_text(_FUNCTION.sub(r"\g<0>\1    str(1)\n", text, count=1) if body else f"{text}\n# saved\n")
            saved.append(_checked(folder))
        return {
            "files": len(files),
            "first": first.cpu_seconds,
            "unchanged": unchanged.cpu_seconds,
            "saved": measure.summarise(saved).cpu_seconds,
            "slowest": max(run.cpu_seconds for run in saved),
        }


def _checked(folder: Path) -> measure.Run:
    """A run beside the folder, whose files may have the names of modules that Python imports."""
    found = measure.run((*CHECK, folder.name), folder.parent)
    if found.status not in (0, 1):
        raise SystemExit(f"check of {folder.name} ended with exit code {found.status}")
    return found


if __name__ == "__main__":
    main()
