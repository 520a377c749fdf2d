"""Maps a dotted module name to a file: directories, packages and relative imports, from the file system only."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


class Modules:
    """Looks up modules below directories, each once. Paths are strings, because a project has many lookups."""

    def __init__(self, is_file: Callable[[str], bool] = os.path.isfile) -> None:
        # os.path, because Path.is_file raises if a directory above cannot be entered
        self._is_file = is_file
        self._roots: dict[str, str] = {}
        self._below: dict[tuple[str, str], str | None] = {}

    def root(self, folder: str) -> str:
        """The nearest directory, this one or above, that is not a package: absolute imports start there."""
        if folder not in self._roots:
            parent = os.path.dirname(folder) or os.curdir  # noqa: PTH120
            is_package = parent != folder and self._is_file(os.path.join(folder, "__init__.py"))  # noqa: PTH118
            self._roots[folder] = self.root(parent) if is_package else folder
        return self._roots[folder]

    def below(self, folder: str, dotted: str) -> str | None:
        """The file of a dotted name, the package before the module; an empty name is that of the directory."""
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
    """The directory where a relative import with that many dots starts; None if there is none."""
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
    """The dotted name of a file, relative to the root of its package, and whether it is a package's `__init__`."""
    parts = path.with_suffix("").relative_to(package_root(path.parent)).parts
    if parts[-1] == "__init__":
        return ".".join(parts[:-1]) or path.parent.name, True
    return ".".join(parts), False
