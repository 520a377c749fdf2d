"""The source of a package in a directory of the user: downloaded and verified once, never executed."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import measure
from benchmarks.primer import archives, index, repositories
from benchmarks.primer.errors import FetchError, Unreachable
from benchmarks.primer.packages import Package, Repository


def default_directory() -> Path:
    """Where packages are kept if the user names no directory."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "shapecheck" / "primer"


def is_inside_repository(directory: Path) -> bool:
    """There, the packages could be committed, and our pyproject.toml would configure their check."""
    return directory.resolve().is_relative_to(measure.ROOT.resolve())


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches packages into a directory."""

    directory: Path
    unreachable: set[str] = field(default_factory=set)
    """Origins that did not answer, so that a run waits for them once."""

    def fetched(self, package: Package) -> Path:
        """The source, fetched unless it is already there. A fetch that fails leaves nothing behind."""
        target = self.directory / package.folder
        if not target.is_dir():
            if package.origin in self.unreachable:
                raise Unreachable(f"cannot reach {package.origin}, as before")
            try:
                self._fetch(package, target)
            except Unreachable:
                self.unreachable.add(package.origin)
                raise
        return target

    def _fetch(self, package: Package, target: Path) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{package.folder}-", dir=self.directory) as scratch:
            source = _source(package, Path(scratch))
            try:
                source.rename(target)
            except OSError:
                if not target.is_dir():  # otherwise another process was faster
                    raise


def _source(package: Package, scratch: Path) -> Path:
    unpacked = scratch / "source"
    if isinstance(package, Repository):
        archives.unpack(repositories.archive(package.repository, package.commit, scratch), unpacked)
        return unpacked
    content = index.download(package.name, package.file)
    found = hashlib.sha256(content).hexdigest()
    if found != package.sha256:
        raise FetchError(f"expected {package.file} with sha256 {package.sha256}, got {found}")
    file = scratch / package.file
    file.write_bytes(content)
    archives.unpack(file, unpacked)
    return archives.inner(unpacked) if package.kind == "sdist" else unpacked
