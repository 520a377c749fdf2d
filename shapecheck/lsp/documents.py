"""The open documents as the server knows them: their text, and the last report about each."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from shapecheck.editing.line_map import LineMap
from shapecheck.lsp.messages import Report
from shapecheck.project.source import split_lines


@dataclass(frozen=True)
class Part:
    """A part of a document that the client knows as one: the document itself, or a cell of a notebook."""

    uri: str
    first: int
    """The line of the document where it begins, from 0."""
    count: int


@dataclass(frozen=True)
class Snapshot:
    """The source of a document at one time."""

    version: int
    text: str
    parts: tuple[Part, ...]

    @cached_property
    def lines(self) -> list[str]:
        """The lines, with their ends."""
        return split_lines(self.text)


@dataclass(frozen=True)
class Examined:
    """A report, and the text that it is about."""

    snapshot: Snapshot
    report: Report


@dataclass(eq=False)
class Document:
    """An open document."""

    uri: str
    path: Path
    now: Snapshot
    good: Examined | None = None
    """The last report on source that parses."""
    latest: Examined | None = None
    """The last report."""
    is_slow: bool = False
    """Whether a complete report takes long."""
    expected: float = math.inf
    """Seconds of processor time that the last report after an edit took."""
    due: float = 0
    """When it may be reported on, in the time of the event loop: until then, edits may follow."""
    is_edited: bool = True
    """Whether its text is newer than what its importers were checked with."""
    timer: asyncio.TimerHandle | None = None
    waiting: list[asyncio.Future[None]] = field(default_factory=list)
    faults: int = 0
    """How often in a row the worker ended while it checked this document."""

    _maps: dict[int, tuple[Examined, Snapshot, LineMap]] = field(default_factory=dict)

    @property
    def is_current(self) -> bool:
        """Whether the last report is about the present text."""
        return self.latest is not None and self.latest.snapshot is self.now

    def part_at(self, line: int) -> Part | None:
        """The part with a line, from 0."""
        return next((one for one in self.now.parts if one.first <= line < one.first + max(one.count, 1)), None)

    def part(self, uri: str) -> Part | None:
        """The part that the client knows by this name."""
        return next((one for one in self.now.parts if one.uri == uri), None)

    def since(self, seen: Examined) -> LineMap:
        """Maps the lines of a report to those of the present text."""
        known = self._maps.get(id(seen))
        if known is None or known[0] is not seen or known[1] is not self.now:
            known = seen, self.now, LineMap(seen.snapshot.lines, self.now.lines)
            self._maps = {id(seen): known, **{key: one for key, one in self._maps.items() if one[1] is self.now}}
        return known[2]


class Positions:
    """Converts places from 1 in code points to positions of the client, which may count UTF-16."""

    def __init__(self, codec: PositionCodec) -> None:
        self._codec = codec

    def to_client(self, lines: Sequence[str], line: int, column: int, first: int = 0) -> types.Position:
        """The position of a place; `first` is the line where the part begins."""
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        place = column - 1
        if not text.isascii():
            place = self._codec.client_num_units(text[:place])
        return types.Position(line - 1 - first, place)

    def from_client(self, lines: Sequence[str], position: types.Position, first: int = 0) -> tuple[int, int]:
        """The place of a position."""
        line = position.line + first
        text = lines[line] if line < len(lines) else ""
        if text.isascii():
            return line + 1, min(position.character, len(text)) + 1
        found = self._codec.position_from_client_units([text], types.Position(0, position.character))
        return line + 1, found.character + 1
