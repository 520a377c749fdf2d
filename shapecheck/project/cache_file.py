"""The directory where `shapecheck check` stores its cache, with one file for each set of options.

The files are JSON, with a checksum in the first line: a damaged or foreign file is ignored. A directory that
cannot be written to is not an error; the next run then takes as long as this one.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple

from shapecheck.diagnostics import Diagnostic, Note, Severity
from shapecheck.project.cache import CacheContents, CachedFindings
from shapecheck.project.reads import FileRead
from shapecheck.project.source import SourceError
from shapecheck.project.write import is_leftover, remove_leftovers, write_whole

_MOST_FILES = 20
"""The number of kinds of runs to keep, which differ in paths, codes, working directory, Python or shapecheck."""
_TAG = """\
Signature: 8a477f597d28d172789f06886806bc55
# This directory contains the cache of `shapecheck check`. For the meaning of this tag, see https://bford.info/cachedir/
"""


class CacheFile(NamedTuple):
    """The file of one kind of run."""

    folder: Path
    path: Path

    @classmethod
    def of(cls, folder: Path, kind: Iterable[str]) -> CacheFile:
        """The file in a directory for runs of one kind, which have the same `parts`."""
        text = json.dumps([*kind]).encode()
        return cls(folder, folder / f"{_checksum(text)[:24]}.json")

    def read(self) -> CacheContents:
        """The content of the cache; empty if there is no usable file."""
        try:
            checksum, _, content = self.path.read_bytes().partition(b"\n")
            if checksum.decode() != _checksum(content):
                return CacheContents()
            known = _decoded(json.loads(content))
            os.utime(self.path)
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return CacheContents()
        return known

    def write(self, known: CacheContents) -> None:
        """Replace the file, if possible."""
        content = json.dumps(_encoded(known), separators=(",", ":"), ensure_ascii=True).encode()
        with suppress(OSError, SourceError):
            self._make_folder()
            write_whole(self.path, b"%s\n%s" % (_checksum(content).encode(), content))
            self._prune()

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
            if not (self.folder / name).exists():
                write_whole(self.folder / name, text.encode())

    def _prune(self) -> None:
        entries = list(self.folder.iterdir())
        remove_leftovers(one for one in entries if is_leftover(one.name))
        files = sorted((one for one in entries if one.suffix == ".json"), key=lambda one: -one.stat().st_mtime_ns)
        for one in files[_MOST_FILES:]:
            one.unlink()


def _checksum(content: bytes) -> str:
    return sha1(content, usedforsecurity=False).hexdigest()


class _Numbers(dict[Any, int]):
    """A table of frequent values, which are stored as numbers."""

    def __missing__(self, thing: Any) -> int:
        self[thing] = len(self)
        return self[thing]


def _encoded(known: CacheContents) -> dict[str, Any]:
    paths, imports, units = _Numbers(), _Numbers(), _Numbers()
    reads = [
        [
            paths[real],
            paths[one.path],
            one.asked,
            one.digest,
            one.name,
            one.is_script,
            b64encode(one.source).decode(),
            [units[unit] for unit in sorted(one.observed)],
            [number for key, found in one.imports.items() for number in (imports[key], _number(paths, found))],
        ]
        for real, one in known.reads.items()
    ]
    findings = [
        [
            paths[real],
            one.whole,
            one.had_findings,
            [units[unit] for unit in sorted(one.observed)],
            [_row(found) for found in one.diagnostics],
        ]
        for real, one in known.findings.items()
    ]
    return {"paths": list(paths), "imports": list(imports), "units": list(units), "reads": reads, "told": findings}


def _number(paths: _Numbers, found: str | None) -> int:
    return -1 if found is None else paths[found]


def _row(one: Diagnostic) -> list[Any]:
    place = (one.path, one.line, one.column, one.end_line, one.end_column)
    notes = [[note.path, note.line, note.column, note.message] for note in one.notes]
    return [*place, one.code, one.severity.value, one.message, notes, one.causes]


def _decoded(document: Any) -> CacheContents:
    paths = [*map(str, document["paths"]), None]
    units = [*map(str, document["units"])]
    imports = [(level, dotted) for level, dotted in document["imports"]]
    reads = {
        paths[real]: FileRead(
            paths[path],
            asked,
            content,
            name,
            is_script,
            b64decode(source),
            frozenset(units[unit] for unit in observed),
            {imports[a]: paths[b] for a, b in zip(led[::2], led[1::2], strict=True)},
        )
        for real, path, asked, content, name, is_script, source, observed, led in document["reads"]
    }
    findings = {
        paths[real]: CachedFindings(
            [_diagnostic(row) for row in rows], whole, had_findings, frozenset(units[unit] for unit in observed)
        )
        for real, whole, had_findings, observed, rows in document["told"]
    }
    return CacheContents(reads, findings)


def _diagnostic(row: list[Any]) -> Diagnostic:
    path, line, column, end_line, end_column, code, severity, message, notes, causes = row
    findings = tuple(Note(*note) for note in notes)
    place = (path, line, column, end_line, end_column)
    return Diagnostic(*place, code, Severity(severity), message, findings, causes=tuple(causes))
