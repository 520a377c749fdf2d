"""Copies of repositories: made, compared, compiled."""

from __future__ import annotations

import hashlib
import shutil
import warnings
from pathlib import Path

_WANTED = {".py", ".pyi", ".toml", ".cfg", ".ini"}
_WANTED_NAMES = {".gitignore", "py.typed"}
_NEVER = {".git", "__pycache__", ".venv", "node_modules"}


def copy_sources(source: Path, target: Path) -> None:
    """Copy what the tools read of `source`: Python files and settings, nothing else."""
    shutil.copytree(source, target, ignore=_unwanted, symlinks=True)


def _unwanted(folder: str, names: list[str]) -> set[str]:
    unwanted = set()
    for name in names:
        path = Path(folder, name)
        source = path.suffix in _WANTED or name in _WANTED_NAMES
        if name in _NEVER or not (source or path.is_dir()):
            unwanted.add(name)
    return unwanted


def python_files(root: Path) -> list[str]:
    """Python files below `root`, relative to it, in order."""
    return sorted(str(path.relative_to(root)) for path in root.rglob("*.py") if path.is_file())


def digests(root: Path) -> dict[str, str]:
    """A digest of every Python file below `root`."""
    return {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in python_files(root)}


def changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Files whose digests differ, or that are in one tree only."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def broken(root: Path) -> set[str]:
    """Files that this Python cannot compile."""
    found = set()
    for name in python_files(root):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile((root / name).read_bytes(), name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            found.add(name)
    return found


def importable(name: str) -> bool:
    """Whether every part of a file's path can be the name of a module."""
    return all(part.isidentifier() for part in Path(name).with_suffix("").parts)
