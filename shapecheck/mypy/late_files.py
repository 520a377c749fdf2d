"""The files whose findings were not ready when mypy stored its result for them, in mypy's cache directory.

mypy does not check an unchanged file again. So this is recorded before mypy stores the result, and the next run asks
whether the findings are ready. A line is added for each change.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import NamedTuple

_MANY = 1000


class LateFile(NamedTuple):
    """How a file was checked."""

    codes: tuple[str, ...]
    """The codes whose rules are called."""
    has_comments: bool
    """Whether comments could be unused, depending on the findings."""


class LateFiles:
    """The record; an empty path is that of a run that stores nothing."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._files: dict[str, LateFile] | None = None
        self._lines = 0

    @property
    def files(self) -> dict[str, LateFile]:
        """By path, as mypy writes it."""
        if self._files is None:
            self._files = self._load()
            if self._lines > len(self._files) + _MANY:
                self._rewrite(self._files)
        return self._files

    def add(self, path: str, how: LateFile) -> None:
        """Record that findings of a file are missing."""
        if self.files.get(path) != how:
            self.files[path] = how
            self._append([path, *how])

    def discard(self, path: str) -> None:
        """Record that mypy has all findings of a file."""
        if self.files.pop(path, None) is not None:
            self._append([path])

    def _load(self) -> dict[str, LateFile]:
        found: dict[str, LateFile] = {}
        try:
            with open(self._path, encoding="utf-8") as stream:  # noqa: PTH123
                for line in stream:
                    self._lines += 1
                    with suppress(ValueError, TypeError):
                        path, *how = json.loads(line)
                        found.pop(path, None)
                        if how:
                            found[path] = LateFile(tuple(how[0]), how[1])
        except (OSError, UnicodeError):
            pass
        return found

    def _append(self, row: list[object]) -> None:
        if self._path:
            with suppress(OSError), open(self._path, "a", encoding="utf-8") as stream:  # noqa: PTH123
                stream.write(f"{json.dumps(row)}\n")

    def _rewrite(self, files: dict[str, LateFile]) -> None:
        beside = f"{self._path}.{os.getpid()}"
        with suppress(OSError):
            with open(beside, "w", encoding="utf-8") as stream:  # noqa: PTH123
                stream.writelines(f"{json.dumps([path, *how])}\n" for path, how in files.items())
            os.replace(beside, self._path)  # noqa: PTH105
