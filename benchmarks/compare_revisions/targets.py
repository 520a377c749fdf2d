"""What both revisions check: the cases and examples of the working tree, and public packages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import trees
from benchmarks.compare_revisions.packages import Package, fetched


@dataclass(frozen=True, slots=True)
class Target:
    """Source to check, once it is there."""

    name: str
    prepare: Callable[[], Sources]


@dataclass(frozen=True, slots=True)
class Sources:
    """A path to check, relative to the directory from which it is checked.

    No pyproject.toml and no checkout of shapecheck belongs in that directory: one would configure the run, the other
    would be imported.
    """

    folder: Path
    path: str

    @property
    def digest(self) -> str:
        """Equal for equal files."""
        files = trees.digests(self.folder / self.path)
        return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()


def repository_targets(repository: Path, scratch: Path) -> list[Target]:
    """Programs of the repository, copied so that neither revision has its own version of them."""

    def target(name: str, path: str, *, only_folders: bool = False) -> Target:
        return Target(name, lambda: _copy(repository, path, scratch / name, only_folders=only_folders))

    return [target("cases", "tests/cases", only_folders=True), target("examples", "examples")]


def package_targets(packages: Iterable[Package], folder: Path) -> list[Target]:
    """Packages, kept in `folder`."""

    def target(package: Package) -> Target:
        return Target(package.name, lambda: Sources(fetched(package, folder), package.module))

    return [target(package) for package in packages]


def _copy(repository: Path, path: str, scratch: Path, *, only_folders: bool) -> Sources:
    trees.copy_sources(repository / path, scratch / path)
    if only_folders:
        for file in (scratch / path).glob("*.py"):
            file.unlink()
    return Sources(scratch, path)
