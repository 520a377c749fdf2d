"""Which packages are drawn: projects of the index in random order, each with its newest file."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version

from benchmarks.primer import index
from benchmarks.primer.errors import FetchError, Unreachable
from benchmarks.primer.packages import Archive

_ABOUT_TORCH = re.compile("torch", re.IGNORECASE)
_MOST_BYTES = 60_000_000
"""Larger files consist of libraries or weights, not of Python."""


def project_names(file: Path | None) -> list[str]:
    """The names of the file, one a line, or all projects of the index with `torch` in their names; sorted."""
    if file is not None:
        return sorted({line.strip() for line in file.read_text().splitlines() if line.strip()})
    return sorted(name for name in index.projects() if _ABOUT_TORCH.search(name))


def drawn(names: Iterable[str], known: Collection[str], seed: int, count: int) -> Iterator[Archive]:
    """`count` packages in random order, without the known ones and those without a file that can be read."""
    excluded = {index.normalized(name) for name in known}
    left = [name for name in names if index.normalized(name) not in excluded]
    random.Random(seed).shuffle(left)
    for name in left:
        if count <= 0:
            return
        found = _newest(name)
        if found is not None:
            count -= 1
            yield found


def _newest(name: str) -> Archive | None:
    """The newest file of a project, a wheel rather than an sdist; None if there is none that can be pinned."""
    try:
        files = index.files(name)
    except Unreachable:
        raise
    except FetchError:  # a project without a page
        return None
    versions = {file: version for file in files if (version := _version(file.name)) is not None}
    newest = max(
        versions, key=lambda file: (not versions[file].is_prerelease, versions[file], file.is_wheel), default=None
    )
    if newest is None or newest.size > _MOST_BYTES:
        return None
    pin = {"name": name, "version": str(versions[newest]), "file": newest.name, "sha256": newest.sha256}
    try:
        return msgspec.convert({**pin, "field": "unseen"}, Archive)
    except msgspec.ValidationError:  # no sha256, or a name that is none
        return None


def _version(file: str) -> Version | None:
    try:
        if file.endswith(".whl"):
            return parse_wheel_filename(file)[1]
        return parse_sdist_filename(file)[1] if file.endswith((".tar.gz", ".zip")) else None
    except (InvalidSdistFilename, InvalidWheelFilename):
        return None
