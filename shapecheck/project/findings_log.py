"""Findings that one process computes and another one reads: a file to which lines are appended.

A line is the key of a question and its answer, as JSON. Several processes may append; a line that is damaged or not yet
complete is ignored. It needs nothing but the data model, because mypy's process reads it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any

from shapecheck.diagnostics.model import Diagnostic, Note, Severity

Key = tuple[str, str, str]
"""The absolute path of a file, the name of a set of codes, and the digest of what the findings depend on."""


class FindingsLog:
    """The answers in one file, as far as they are written."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._place = 0
        self._rest = b""
        self._rows: dict[Key, list[Any] | str] = {}

    def poll(self) -> None:
        """Read what was appended since the last call."""
        try:
            with open(self.path, "rb") as stream:  # noqa: PTH123 - for each file that mypy checks
                stream.seek(self._place)
                added = stream.read()
        except OSError:
            return
        self._place += len(added)
        *lines, self._rest = (self._rest + added).split(b"\n")
        for line in lines:
            with suppress(ValueError, TypeError):
                path, codes, digest, rows = json.loads(line)
                self._rows[path, codes, digest] = rows

    def __contains__(self, key: Key) -> bool:
        return key in self._rows

    def is_clean(self, key: Key) -> bool:
        """Whether there is an answer without findings."""
        return self._rows.get(key) == []

    def findings(self, key: Key) -> list[Diagnostic]:
        """The answer. RuntimeError with a description if it could not be computed."""
        rows = self._rows[key]
        if isinstance(rows, str):
            del self._rows[key]  # the next run tries again
            raise RuntimeError(rows)
        return [_diagnostic(row) for row in rows]

    def compact(self) -> None:
        """Drop answers about earlier versions of the files if they are most of the file."""
        newest = {key[:2]: key for key in self._rows}
        if len(self._rows) <= 2 * len(newest) + 50:
            return
        self._rows = {key: rows for key in newest.values() if not isinstance(rows := self._rows[key], str)}
        content = b"".join(_line(key, rows) for key, rows in self._rows.items())
        beside = f"{self.path}.{os.getpid()}"
        try:
            with open(beside, "wb") as stream:  # noqa: PTH123
                stream.write(content)
            os.replace(beside, self.path)  # noqa: PTH105
        except OSError:
            return
        self._place, self._rest = len(content), b""


class FindingsWriter:
    """Appends answers to a log."""

    def __init__(self, path: str) -> None:
        self._stream = open(path, "ab", buffering=0)  # noqa: PTH123, SIM115 - until the process ends

    def add(self, key: Key, answer: list[Diagnostic] | str) -> None:
        """Append the findings, or the description of an error."""
        self._stream.write(_line(key, answer if isinstance(answer, str) else [_row(one) for one in answer]))


def _line(key: Key, rows: list[Any] | str) -> bytes:
    return json.dumps([*key, rows], separators=(",", ":")).encode() + b"\n"


def _row(one: Diagnostic) -> list[Any]:
    place = (one.path, one.line, one.column, one.end_line, one.end_column)
    notes = [[note.path, note.line, note.column, note.message] for note in one.notes]
    return [*place, one.code, one.severity.value, one.message, notes, one.causes]


def _diagnostic(row: list[Any]) -> Diagnostic:
    *place, code, severity, message, notes, causes = row
    path, line, column, end_line, end_column = place
    kept = tuple(Note(*note) for note in notes)
    position = (path, line, column, end_line, end_column)
    return Diagnostic(*position, code, Severity(severity), message, kept, causes=tuple(causes))
