"""Installed libraries whose source is read: those that use torch. Maps their modules to files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.modules import Modules

LIBRARY = -1
"""In records of imports, in place of the number of dots: a module of an installed library."""

_REQUIRES = lazy_pattern(rb"^Requires-Dist:\s*torch\b(?![-_.\w])", re.MULTILINE)
_IMPORTS = lazy_pattern(rb"^(?:import|from) torch\b", re.MULTILINE)
_MOST_FILES = 200


class Libraries:
    """The libraries in these directories, as of the first lookup of each."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self.folders = tuple(map(str, folders))
        self._inside = tuple(folder.rstrip(os.sep) + os.sep for folder in self.folders)
        self._modules = Modules()
        self._uses_torch: dict[str, bool] = {}
        self._installed: frozenset[str] | None = None

    def find(self, dotted: str) -> str | None:
        """The file of a module of a library that uses torch; None for any other name."""
        if not self.folders or not self._is_read(dotted.partition(".")[0]):
            return None
        found = (self._modules.below(folder, dotted) for folder in self.folders)
        return next((path for path in found if path is not None), None)

    def holds(self, path: str) -> bool:
        """Whether a file is in one of the directories."""
        return path.startswith(self._inside)

    def has(self, top: str) -> bool:
        """Whether a package is installed, also one that is not Python source."""
        if self._installed is None:
            entries = (one for folder in self.folders for one in os.listdir(folder))  # noqa: PTH208
            self._installed = frozenset(one.partition(".")[0] for one in entries)
        return top in self._installed

    def _is_read(self, top: str) -> bool:
        if top not in self._uses_torch:
            files = (self._modules.below(folder, top) for folder in self.folders)
            file = next((path for path in files if path is not None), None)
            self._uses_torch[top] = file is not None and _uses_torch(Path(file), top)
        return self._uses_torch[top]


def _uses_torch(file: Path, top: str) -> bool:
    """Whether a library requires torch, as its metadata says, or a file near the top imports it."""
    is_package = file.name == "__init__.py"
    home = file.parent.parent if is_package else file.parent
    metadata = _metadata(home, top)
    if metadata is not None:
        return _REQUIRES.search(metadata) is not None
    files = _sources(file.parent) if is_package else iter((file,))
    return any(_IMPORTS.search(_content(one)) for one, _ in zip(files, range(_MOST_FILES), strict=False))


def _metadata(home: Path, top: str) -> bytes | None:
    """The metadata of the distribution with the name of a package; None if there is none."""
    name = top.lower()
    for entry in os.listdir(home):  # noqa: PTH208 - names are enough
        if entry.endswith(".dist-info") and entry.partition("-")[0].lower().replace(".", "_") == name:
            return _content(home / entry / "METADATA")
    return None


def _sources(folder: Path) -> Iterator[Path]:
    """The files of a package, and those one level below."""
    below: list[Path] = []
    for one in sorted(os.listdir(folder)):  # noqa: PTH208
        if one.endswith(".py"):
            yield folder / one
        elif os.path.isdir(folder / one):  # noqa: PTH112 - Path's may raise
            below.append(folder / one)
    for inner in below:
        yield from (inner / one for one in sorted(os.listdir(inner)) if one.endswith(".py"))  # noqa: PTH208


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
