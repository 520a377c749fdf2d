"""What is checked: a directory, and where `check` is started."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from benchmarks import trees


@dataclass(frozen=True, slots=True)
class Sources:
    """A path to check, relative to the directory from which it is checked.

    That directory must not contain a pyproject.toml, which would configure the run, nor any module: Python would import
    it instead of a module of the same name that shapecheck needs.
    """

    folder: Path
    path: str
    prefix: str = ""
    """What reported paths omit, such as the name of the directory that holds a package."""

    @property
    def root(self) -> Path:
        return self.folder / self.path

    @property
    def digest(self) -> str:
        """Equal for equal files."""
        files = trees.digests(self.root)
        return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
