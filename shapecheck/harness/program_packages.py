"""Which packages and modules belong to the program whose models are run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from shapecheck.harness.cases.model import Target
from shapecheck.project.files import DEFAULT_EXCLUDES


def packages_of_program(target: Target) -> frozenset[str]:
    """The package of a target, and the other packages and modules in the directories from which it may import.

    None of a library: its annotations are not those of the program.
    """
    if target.library:
        return frozenset()
    folders = (target.root, *target.folders)
    return frozenset((target.module.partition(".")[0], *(name for folder in folders for name in _in(folder))))


def _in(folder: Path) -> Iterator[str]:
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.suffix == ".py" and entry.stem.isidentifier():
            yield entry.stem
        elif entry.name.isidentifier() and entry.name not in DEFAULT_EXCLUDES and any(entry.glob("*.py")):
            yield entry.name
