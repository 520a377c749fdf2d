"""A digest of this package's own sources: results of another version are not reused."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha1
from pathlib import Path

from shapecheck.diagnostics import CODES

FOR_FINDINGS = ("conditions", "diagnostics", "ops", "project", "spec", "static")
"""The directories of the package that determine the findings."""


def sources_digest(names: Iterable[str] = FOR_FINDINGS) -> str:
    """The digest of these files and directories of the package."""
    found = sha1(usedforsecurity=False)
    found.update(repr(CODES).encode())  # pages declare codes, but are not source code
    package = str(Path(__file__).parents[1])
    for name in names:
        for path in _sources(f"{package}{os.sep}{name}"):
            with open(path, "rb") as stream:  # noqa: PTH123 - at every start, so quick
                found.update(stream.read())
    return found.hexdigest()


def _sources(path: str) -> Iterator[str]:
    if path.endswith(".py"):
        yield path
    elif os.path.isdir(path) and not path.endswith("__pycache__"):  # noqa: PTH112
        for name in sorted(os.listdir(path)):  # noqa: PTH208
            yield from _sources(f"{path}{os.sep}{name}")
