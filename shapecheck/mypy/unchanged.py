"""What mypy's cache stores with each module, as long as nothing that it was computed from has changed.

mypy requests it for every module at every start. Computing it reads all files of the project. Here the times and sizes
of the files, and the names in the directories, are compared with those of an earlier run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha1
from typing import Any

Record = tuple[str, str, int, int | str]
"""`("file", path, time, size)`, or `("directory", path, time, names)`; the time of one that does not exist is 0."""


class Unchanged:
    """The results of earlier runs with this key; none if anything has changed since."""

    def __init__(self, path: str, key: str) -> None:
        self._path = path
        self._key = key
        self._results: dict[tuple[str, str], tuple[Any]] = {}
        self._recorded: set[str] = set()
        self._is_valid = self._read()

    def get(self, path: str, module: str) -> tuple[Any] | None:
        """The result for a module, in a tuple; None if it is not known."""
        return self._results.get((path, module))

    def add(self, path: str, module: str, result: Any, records: Iterable[Record]) -> None:
        """Store a result, and the records of what it depends on that are not stored yet."""
        if self._results.get((path, module)) == (result,):
            return
        rows: list[Any] = [] if self._is_valid else [self._key]
        rows += [row for row in records if row[1] not in self._recorded]
        rows.append(("result", path, module, result))
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        self._results[path, module] = (result,)
        with suppress(OSError), open(self._path, "ab" if self._is_valid else "wb", buffering=0) as stream:  # noqa: PTH123
            stream.write(text.encode())
        self._is_valid = True

    def _read(self) -> bool:
        try:
            with open(self._path, "rb") as stream:  # noqa: PTH123
                key, *rows = json.loads(b"[%s]" % stream.read().rstrip().replace(b"\n", b","))
            if key != self._key:
                return False
            for kind, path, first, second in rows:
                if kind == "result":
                    self._results[path, first] = (second,)
                elif _holds(kind, path, first, second):
                    self._recorded.add(path)
                else:
                    return self._clear()
        except (OSError, ValueError, TypeError):
            return self._clear()
        return True

    def _clear(self) -> bool:
        self._results.clear()
        self._recorded.clear()
        return False


def _holds(kind: str, path: str, time: int, other: int | str) -> bool:
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return time == 0
    if kind == "file":
        return status.st_mtime_ns == time and status.st_size == other
    return status.st_mtime_ns == time or names_digest(os.listdir(path)) == other  # noqa: PTH208


def file_record(path: str) -> Record:
    """What a file looks like now."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return ("file", path, 0, 0)
    return ("file", path, status.st_mtime_ns, status.st_size)


def directory_record(path: str, time: int, names: Iterable[str]) -> Record:
    """What a directory looked like."""
    return ("directory", path, time, names_digest(names))


def names_digest(names: Iterable[str]) -> str:
    """A digest of the names that may be modules."""
    found = sorted(name for name in names if name.endswith(".py") or (name.isidentifier() and name != "__pycache__"))
    return sha1("\n".join(found).encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
