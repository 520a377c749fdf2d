"""Maps a dotted module name to a file: folders, packages and relative imports, by the file system alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


class Modules:
    """Looks up modules below folders, each once. Paths are strings, because a project asks about many."""

    def __init__(self, is_file: Callable[[str], bool] = os.path.isfile) -> None:
        # os.path, because Path.is_file raises where a folder on the way may not be entered
        self._is_file = is_file
        self._roots: dict[str, str] = {}
        self._below: dict[tuple[str, str], str | None] = {}

    def root(self, folder: str) -> str:
        """The nearest folder at or above this one that is no package: where absolute imports of its files start."""
        if folder not in self._roots:
            parent = os.path.dirname(folder) or os.curdir  # noqa: PTH120
            is_package = parent != folder and self._is_file(os.path.join(folder, "__init__.py"))  # noqa: PTH118
            self._roots[folder] = self.root(parent) if is_package else folder
        return self._roots[folder]

    def below(self, folder: str, dotted: str) -> str | None:
        """The file of a dotted name, the package before the module; an empty name is the folder's own."""
        key = (folder, dotted)
        if key not in self._below:
            inner = os.path.join(folder, dotted.replace(".", os.sep))  # noqa: PTH118
            self._below[key] = self._find(inner if dotted else folder, dotted)
        return self._below[key]

    def _find(self, base: str, dotted: str) -> str | None:
        package = f"{base}{os.sep}__init__.py"
        if self._is_file(package):
            return package
        module = f"{base}.py"
        return module if dotted and self._is_file(module) else None


def above(folder: str, level: int) -> str | None:
    """Where a relative import with so many dots starts, in a file of this folder; None beyond all folders."""
    for _ in range(level - 1):
        folder, below = os.path.dirname(folder), folder  # noqa: PTH120
        if folder == below:
            return None
    return folder


def package_root(folder: Path) -> Path:
    """`Modules.root` of a path."""
    return Path(Modules().root(str(folder)))


def in_folder(folder: Path, dotted: str) -> Path | None:
    """`Modules.below` a path."""
    found = Modules().below(str(folder), dotted)
    return None if found is None else Path(found)


def dotted_name(path: Path) -> tuple[str, bool]:
    """The dotted name of a file, seen from its package's root, and whether it is a package's `__init__`."""
    parts = path.with_suffix("").relative_to(package_root(path.parent)).parts
    if parts[-1] == "__init__":
        return ".".join(parts[:-1]) or path.parent.name, True
    return ".".join(parts), False
