"""A digest of this package's own sources: results of another version are not reused."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha1

FOR_FINDINGS = ("conditions", "diagnostics", "ops", "project", "spec", "static")
"""The directories of the package that determine the findings."""
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - at every start, so quick
_PAGES = (
    os.path.join(_PACKAGE, "diagnostics", "pages"),  # noqa: PTH118
    os.path.join(os.path.dirname(_PACKAGE), "docs", "codes"),  # noqa: PTH118, PTH120
)
"""The pages of the codes, in an installation and in a checkout. They declare codes, but are not source code."""


def sources_digest(names: Iterable[str] = FOR_FINDINGS, memo: str = "") -> str:
    """The digest of these files and directories of the package.

    With a `memo`, a file, the sources are only read again if the time or size of one of them has changed.
    """
    paths = [*_pages(), *(path for name in names for path in _sources(os.path.join(_PACKAGE, name)))]  # noqa: PTH118
    if not memo:
        return _digest(paths)
    stamp = _stamp(paths)
    with suppress(OSError, ValueError), open(memo, encoding="utf-8") as stream:  # noqa: PTH123
        known, found = json.load(stream)
        if known == stamp:
            return str(found)
    found = _digest(paths)
    with suppress(OSError):
        os.makedirs(os.path.dirname(memo), exist_ok=True)  # noqa: PTH103, PTH120
        with open(memo, "w", encoding="utf-8") as stream:  # noqa: PTH123
            json.dump([stamp, found], stream)
    return found


def _digest(paths: Iterable[str]) -> str:
    found = sha1(usedforsecurity=False)
    for path in paths:
        with open(path, "rb") as stream:  # noqa: PTH123
            text = stream.read()
        found.update(text if path.endswith(".py") else _declaration(text))
    return found.hexdigest()


def _declaration(page: bytes) -> bytes:
    """The front matter of a page."""
    return page.split(b"---\n", 2)[1] if page.startswith(b"---\n") else b""


def _stamp(paths: Iterable[str]) -> str:
    found = sha1(usedforsecurity=False)
    for path in paths:
        status = os.stat(path)  # noqa: PTH116
        found.update(f"{path} {status.st_mtime_ns} {status.st_size}\n".encode("utf-8", "surrogateescape"))
    return found.hexdigest()


def _pages() -> list[str]:
    for folder in _PAGES:
        with suppress(OSError):
            return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".md")]  # noqa: PTH118, PTH208
    return []


def _sources(path: str) -> Iterator[str]:
    if path.endswith(".py"):
        yield path
        return
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                yield entry.path
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _sources(entry.path)
