"""Which results are still valid although files that they depend on were edited."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path

from shapecheck.project.definitions import Resolve
from shapecheck.project.edits import TextChange, change_of
from shapecheck.project.importing import ImportFinder
from shapecheck.project.observed_code import unit_name
from shapecheck.project.reads import FileRead
from shapecheck.project.source import SourceError, SourceFile
from shapecheck.project.spreading import Spread, SpreadModule

_HOOK = re.compile(rb"__init_subclass__|\bmetaclass[ ]*=|\(type\)")


@dataclass(frozen=True)
class Observers:
    """The files that may observe edits: those with definitions that do, opaque ones and those that import them."""

    affected: frozenset[str]
    opaque: frozenset[str]
    units: frozenset[str]
    """The functions of which nothing but the body was edited."""


class Edits:
    """The edits of files since they were read: `reads` are of the earlier versions, `edited` are the bytes now."""

    def __init__(self, reads: Mapping[str, FileRead], importing: ImportFinder, edited: Mapping[str, bytes]) -> None:
        self._reads = reads
        self._importing = importing
        self._edited = edited
        self._opaque: set[str] = set()
        self._importers: dict[str, list[str]] = {}
        for real, one in reads.items():
            for target in filter(None, one.imports.values()):
                self._importers.setdefault(target, []).append(real)

    def observers(self) -> Observers:
        """The files that may observe the edits, besides the edited ones."""
        changes: dict[str, frozenset[str]] = {}
        units: set[str] = set()
        for real in self._edited:
            change = self._changed(real)
            if change is None or (change.subclasses and self._has_hooks):
                self._opaque.add(real)
            else:
                changes[real] = change.names
                units.update(unit_name(real, name) for name in change.units)
        spread = Spread(cache(self._module), self.importers)
        spread.start(changes)
        observing = {real for real, one in self._reads.items() if not units.isdisjoint(one.observed)}
        return Observers(
            frozenset(spread.affected), frozenset(self._opaque | spread.opaque | observing), frozenset(units)
        )

    @cached_property
    def _has_hooks(self) -> bool:
        """Whether a class of the project may run code when a subclass of it is defined."""
        return any(_HOOK.search(zlib.decompress(one.source)) for one in self._reads.values() if one.source)

    def importers(self, real: str) -> set[str]:
        """The files that import a file, directly or not."""
        found: set[str] = set()
        waiting = [real]
        while waiting:
            for one in self._importers.get(waiting.pop(), ()):
                if one not in found:
                    found.add(one)
                    waiting.append(one)
        return found

    def _changed(self, real: str) -> TextChange | None:
        path = Path(self._reads[real].path)
        try:
            before, now = zlib.decompress(self._reads[real].source), self._edited[real]
            old, new = (SourceFile.from_bytes(content, path).text for content in (before, now))
        except (SourceError, zlib.error):
            return None
        return change_of(old, new, partial(self._resolve, real), is_run=self._reads[real].asked)

    def _resolve(self, real: str, level: int, dotted: str) -> str | None:
        """The file that an edited file imports, also one that it did not import before."""
        read = self._reads[real]
        if (level, dotted) in read.imports:
            return read.imports[level, dotted]
        kinds = (False,) if level else (False, True)
        return next(filter(None, (self._importing.find(read.path, dotted, level, kind) for kind in kinds)), None)

    def _module(self, real: str) -> SpreadModule | None:
        read = self._reads.get(real)
        if read is None or not read.source or real in self._opaque:
            return None
        try:
            content = self._edited.get(real) or zlib.decompress(read.source)
            text = SourceFile.from_bytes(content, Path(read.path)).text
        except (SourceError, zlib.error):
            return None
        return SpreadModule(text, _recorded(read))


def _recorded(read: FileRead) -> Resolve:
    """Resolves imports as the runs did; what they did not resolve was not executed."""
    return lambda level, dotted: read.imports.get((level, dotted))
