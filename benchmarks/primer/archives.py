"""Extracting the Python files of an sdist, a wheel, or a tar file of a repository."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path, PurePosixPath

from benchmarks.primer.errors import FetchError


def unpack(archive: Path, target: Path) -> None:
    """Extract Python files, links to them, and pyproject.toml. A path that leads out of the archive is an error."""
    target.mkdir()
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(target, [name for name in wheel.namelist() if _is_wanted(name)])
        else:
            with tarfile.open(archive) as sdist:
                members = [one for one in sdist if (one.isfile() or one.issym()) and _is_wanted(one.name)]
                sdist.extractall(target, members, filter="data")
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError) as error:
        raise FetchError(f"cannot extract {archive.name}: {error}") from error


def _is_wanted(name: str) -> bool:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise FetchError(f"the archive contains a path outside of it: {name}")
    return path.suffix in {".py", ".pyi"} or path.name == "pyproject.toml"


def inner(folder: Path) -> Path:
    """The one directory that an sdist consists of, or `folder` if it contains more."""
    entries = list(folder.iterdir())
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else folder
