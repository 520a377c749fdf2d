"""Maps a dotted module name to a file: folders, packages and relative imports, by the file system alone."""

from __future__ import annotations

import os
from pathlib import Path


def package_root(folder: Path) -> Path:
    """The nearest folder at or above `folder` that is no package: where absolute imports of its files start."""
    while _is_file(folder / "__init__.py") and folder.parent != folder:
        folder = folder.parent
    return folder


def dotted_name(path: Path) -> tuple[str, bool]:
    """The dotted name of a file, seen from its package's root, and whether it is a package's `__init__`."""
    parts = path.with_suffix("").relative_to(package_root(path.parent)).parts
    if parts[-1] == "__init__":
        return ".".join(parts[:-1]) or path.parent.name, True
    return ".".join(parts), False


def ancestor(path: Path, level: int) -> Path:
    """The folder in which a relative import with so many dots starts, in the file `path`."""
    return path.parents[min(level, len(path.parents)) - 1]


def in_folder(folder: Path, dotted: str) -> Path | None:
    """The file of a dotted name below a folder, the package before the module; an empty name is the folder's own."""
    base = folder.joinpath(*dotted.split(".")) if dotted else folder
    candidates = [base / "__init__.py"]
    if dotted:
        candidates.append(base.with_name(base.name + ".py"))
    return next((candidate for candidate in candidates if _is_file(candidate)), None)


def _is_file(path: Path) -> bool:
    # os.path, because Path.is_file raises where a folder on the way may not be entered
    return os.path.isfile(path)  # noqa: PTH113
