"""Results of earlier runs, as far as they are still valid.

The findings of a file depend on its text, on the files that its imports resolve to, and on the same of those files. A
run records all of that (`reads`). Here each record is compared with the file system, and results that depend on an
outdated record are dropped, so that only those files are checked again. If only the text of a file is another one,
`edited` decides which results may depend on the difference. Time stamps are not used.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from shapecheck.diagnostics import Diagnostic
from shapecheck.project.importing import ImportFinder
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.reads import FileRead, digest

_NOT_REPRODUCIBLE = frozenset(("unreadable-file", "internal-error", "unknown-attribute", "unused-layer"))
"""Findings that may differ in the next run although no file has changed."""


class CachedFindings(NamedTuple):
    """The findings of one file."""

    diagnostics: list[Diagnostic]
    whole: bool
    had_findings: bool
    """Whether the run had any, so that they depend on more than the values of what it imports."""
    observed: frozenset[str] = frozenset()
    """The units that it observed."""


@dataclass
class CacheContents:
    """The content of the cache: what was read and what was found, by real path."""

    reads: dict[str, FileRead] = field(default_factory=dict)
    findings: dict[str, CachedFindings] = field(default_factory=dict)

    def add(self, real: str, outcome: FileOutcome) -> set[str]:
        """Adds the outcome of a file and what was read for it; returns the files that it has read differently."""
        differing = set()
        for path, one in outcome.reads.items():
            before = self.reads.get(path, one)
            if not before.agrees(one):
                differing.add(path)
            self.reads[path] = before.with_more(one)
        if _NOT_REPRODUCIBLE.isdisjoint(one.code for one in outcome.diagnostics):
            self.findings[real] = CachedFindings(
                outcome.diagnostics, outcome.whole, outcome.had_findings, outcome.observed
            )
        return differing


class Cache:
    """The cached results of the files of one run.

    `replaced` is the content to use instead of that on disk, by real path: changes that are not written yet.
    """

    def __init__(
        self,
        known: CacheContents,
        files: Sequence[Path],
        roots: Iterable[Path],
        libraries: Sequence[Path] = (),
        replaced: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        self._replaced = replaced
        self._importing = ImportFinder(
            [Path(os.path.abspath(one)) for one in roots],  # noqa: PTH100
            (path.parent for path in files),
            libraries,
        )
        self._real = {path: self._importing.real[str(path)] for path in files}
        asked = {real: str(path) for path, real in self._real.items()}
        digests = {real: self._digest(real) for real in known.reads}
        reads = {real: one for real, one in known.reads.items() if self._holds(real, one, asked, digests[real])}
        edited = {real: self._content(real) for real, one in reads.items() if digests[real] != one.digest}
        findings = _valid_findings(reads, known.findings)
        if edited:
            findings = _unaffected(findings, reads, edited, self._importing)
            reads |= {real: reads[real].edited(content) for real, content in edited.items()}
        self.is_new = len(reads) < len(known.reads) or bool(edited)
        """Whether the cache has changed since it was read."""
        self._known = CacheContents(reads, findings)
        self._differing: set[str] = set()

    def outcome(self, path: Path) -> FileOutcome | None:
        """The outcome of a file; None if it is not cached."""
        findings = self._known.findings.get(self._real[path])
        return None if findings is None else FileOutcome(path, findings.diagnostics, findings.whole)

    def add(self, outcome: FileOutcome) -> None:
        """Add the outcome of a file and what was read for it."""
        self.is_new = True
        self._differing |= self._known.add(self._real[outcome.path], outcome)

    def valid(self) -> CacheContents:
        """What of the content is valid."""
        return self._known

    def known(self) -> CacheContents:
        """The valid content, for the files of this run and what they import."""
        reads = {real: one for real, one in self._known.reads.items() if real not in self._differing}
        files = frozenset(self._real.values())
        findings = _valid_findings(reads, {real: one for real, one in self._known.findings.items() if real in files})
        reached = _closure(findings, {real: _targets(one) for real, one in reads.items()})
        return CacheContents({real: one for real, one in reads.items() if real in reached}, findings)

    def _holds(self, real: str, seen: FileRead, asked: Mapping[str, str], now: str) -> bool:
        """Whether a run would read the same now, or a later version of the text, and resolve its imports as before."""
        if asked.get(real) != (seen.path if seen.asked else None):
            return False
        if now != seen.digest and not (now and seen.source):
            return False
        if seen.name and self._importing.name(Path(seen.path)) != seen.name:
            return False
        return all(
            (self._importing.real[found] if found else None) == target
            for (level, dotted), target in seen.imports.items()
            for found in [self._importing.find(seen.path, dotted, level, seen.is_script and not level)]
        )

    def _digest(self, real: str) -> str:
        try:
            return digest(self._content(real))
        except OSError:
            return ""

    def _content(self, real: str) -> bytes:
        if real in self._replaced:
            return self._replaced[real]
        with open(real, "rb") as stream:  # noqa: PTH123 - every file of a project at every start
            return stream.read()


def _valid_findings(reads: Mapping[str, FileRead], findings: Mapping[str, CachedFindings]) -> dict[str, CachedFindings]:
    """The findings of the files whose reads are all recorded."""
    importers: dict[str, list[str]] = {}
    for real, one in reads.items():
        for target in _targets(one):
            importers.setdefault(target, []).append(real)
    missing = [real for real in (*importers, *findings) if real not in reads]
    fallen = _closure(missing, importers)
    return {real: one for real, one in findings.items() if real not in fallen}


def _targets(one: FileRead) -> list[str]:
    return [target for target in one.imports.values() if target is not None]


def _closure(start: Iterable[str], following: Mapping[str, Collection[str]]) -> set[str]:
    """These, and everything that follows from them."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += following.get(one, ())
    return found


def _unaffected(
    findings: Mapping[str, CachedFindings],
    reads: Mapping[str, FileRead],
    edited: Mapping[str, bytes],
    importing: ImportFinder,
) -> dict[str, CachedFindings]:
    """The findings of the files that cannot observe the edits of others.

    Findings tell where code is, and may depend on comments: a file that had some depends on all that it imports.
    """
    from shapecheck.project.edited import Edits  # noqa: PLC0415 - not needed if nothing has changed

    edits = Edits(reads, importing, edited)
    observers = edits.observers()
    importing_edited = set[str]().union(*map(edits.importers, edited))
    fallen = set[str]().union(edited, observers.affected, observers.opaque, *map(edits.importers, observers.opaque))
    return {
        real: one
        for real, one in findings.items()
        if real not in fallen
        and observers.units.isdisjoint(one.observed)
        and not (one.had_findings and real in importing_edited)
    }
