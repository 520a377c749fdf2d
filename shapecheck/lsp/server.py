"""The language server: what the capabilities in `features/` share."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from shapecheck import __version__
from shapecheck.lsp.documents import Document, Part, Positions
from shapecheck.lsp.messages import Question
from shapecheck.lsp.project_check import ProjectCheck
from shapecheck.lsp.scheduler import Scheduler
from shapecheck.lsp.settings import EditorSettings

_LOG = logging.getLogger(__name__)
NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithNotebook(
            notebook="jupyter-notebook", cells=[types.NotebookCellLanguage("python")]
        )
    ],
    save=False,
)


class Server(LanguageServer):
    """The language server of shapecheck."""

    def __init__(self) -> None:
        super().__init__(
            "shapecheck",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            notebook_document_sync=NOTEBOOKS,
        )
        self.scheduler = Scheduler(self.log)
        self.project_check = ProjectCheck()
        self.settings = EditorSettings()

    def log(self, message: str) -> None:
        """Shows a line in the log of the client."""
        _LOG.info(message)
        self.window_log_message(types.LogMessageParams(types.MessageType.Log, message))

    @property
    def positions(self) -> Positions:
        """Converts positions as the client has been promised."""
        return Positions(self.workspace.position_codec)

    def document(self, uri: str) -> tuple[Document, Part] | None:
        """The document that a client means, and its part."""
        document = self.scheduler.documents.get(uri)
        part = None if document is None else document.part(uri)
        return None if document is None or part is None else (document, part)

    def question(
        self, topic: str, uri: str, at: types.Range, about: dict[str, Any]
    ) -> tuple[Document, Question] | None:
        """A question about a range of the last text that was analyzed; None if that has changed there."""
        found = self.document(uri)
        if found is None or found[0].good is None:
            return None
        document, part = found
        positions, lines = self.positions, document.now.lines
        start = positions.from_client(lines, at.start, part.first)
        end = positions.from_client(lines, at.end, part.first)
        assert document.good is not None
        back = document.since(document.good)
        first, last = back.to_old(start[0] - 1), back.to_old(end[0] - 1)
        if first is None or last is None:
            return None
        return document, Question(0, topic, str(document.path), first + 1, start[1], last + 1, end[1], about)

    def range_now(self, document: Document, uri: str, place: tuple[int, int, int, int]) -> types.Range | None:
        """Where a range of the last report is in the present text; None if it has changed."""
        part = document.part(uri)
        if document.good is None or part is None:
            return None
        line, column, end_line, end_column = place
        moved, positions, lines = document.since(document.good), self.positions, document.now.lines
        first, last = moved.to_new(line - 1), moved.to_new(end_line - 1)
        if first is None or last is None:
            return None
        start = positions.to_client(lines, first + 1, column, part.first)
        return types.Range(start, positions.to_client(lines, last + 1, end_column, part.first))

    def location(self, place: dict[str, Any]) -> types.Location:
        """A place that the worker names: a point, or a range if it has an end."""
        path, line, column = place["path"], place["line"], place["column"]
        end_line, end_column = place.get("end_line", line), place.get("end_column", column)
        document = next((one for one in self.scheduler.all() if str(one.path) == path), None)
        part = None if document is None else self._part_now(document, line)
        if document is not None and part is not None:
            found = self.range_now(document, part.uri, (line, column, end_line, end_column))
            if found is not None:
                return types.Location(part.uri, found)
        at = types.Position(line - 1, column - 1)
        return types.Location(uri_of(path), types.Range(at, types.Position(end_line - 1, end_column - 1)))

    def _part_now(self, document: Document, line: int) -> Part | None:
        """The part with a line of the last report."""
        moved = None if document.good is None else document.since(document.good).to_new(line - 1)
        return None if moved is None else document.part_at(moved)

    def supports(self, *names: str) -> bool:
        """Whether the client has a capability: the names of the fields that lead to it."""
        value: Any = self.client_capabilities
        for name in names:
            value = getattr(value, name, None)
        return bool(value)


def uri_of(path: str) -> str:
    """The name of a file for a client."""
    return from_fs_path(str(Path(path).absolute())) or ""


def path_of(uri: str) -> Path:
    """The file with a name; one that is not on disk gets a path in the working directory."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(found) if found else Path.cwd() / (uri.rpartition("/")[2].rpartition(":")[2] or "untitled")
