"""Diagnostics of the whole project, for clients that pull them: open documents as they are, others as on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from lsprotocol import types

from shapecheck.diagnostics import Diagnostic
from shapecheck.lsp.features.diagnostics import diagnostic_of, diagnostics_in, result_id
from shapecheck.lsp.project_check import CheckFailed
from shapecheck.lsp.server import Server, uri_of
from shapecheck.project.source import SourceError, SourceFile

_BATCH = 50
"""Documents of one partial result."""
_NOTEBOOK = ".ipynb"
Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


def register(server: Server) -> None:
    """Adds the feature."""

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def pull(params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        before = {one.uri: one.value for one in params.previous_result_ids}
        sent = _Sent(server, params.partial_result_token)
        for document in server.scheduler.all():
            await server.scheduler.settled(document)
        opened = dict(_of_open_documents(server))
        sent.add(_report(uri, items, before, version) for uri, (items, version) in opened.items())
        others = await _of_files(server) if server.settings.workspace_diagnostics else {}
        closed = {uri: items for uri, items in others.items() if uri not in opened}
        sent.add(_report(uri, items, before, None) for uri, items in closed.items())
        gone = (uri for uri in before if uri not in opened and uri not in closed)
        sent.add(_report(uri, [], before, None) for uri in gone)
        return types.WorkspaceDiagnosticReport(sent.rest)


class _Sent:
    """The reports of one request: sent in parts, if the client has given a token for that."""

    def __init__(self, server: Server, token: types.ProgressToken | None) -> None:
        self.rest: list[Report] = []
        """What the result has to contain."""
        self._server = server
        self._token = token

    def add(self, reports: Iterator[Report]) -> None:
        """Sends reports, or keeps them for the result."""
        if self._token is None:
            self.rest.extend(reports)
            return
        while part := list(islice(reports, _BATCH)):
            value = types.WorkspaceDiagnosticReportPartialResult(part)
            self._server.protocol.notify(types.PROGRESS, types.ProgressParams(self._token, value))


def _of_open_documents(server: Server) -> Iterator[tuple[str, tuple[list[types.Diagnostic], int]]]:
    for document in server.scheduler.all():
        for part in document.now.parts:
            yield part.uri, (list(diagnostics_in(server, document, part)), document.now.version)


async def _of_files(server: Server) -> dict[str, list[types.Diagnostic]]:
    """The diagnostics of all files that have some; those of notebooks belong to cells, which only open ones have."""
    folder, check = server.scheduler.worker.folder, server.project_check
    if not server.supports("workspace", "did_change_watched_files", "dynamic_registration"):
        check.is_stale = True  # clients do not report changes of closed files
    try:
        found = await check.findings(folder)
    except CheckFailed as failure:
        server.log(f"the project cannot be checked: {failure}")
        return {}
    return {
        uri_of(str(path)): list(_in_file(server, path, diagnostics))
        for path, diagnostics in found.items()
        if path.suffix != _NOTEBOOK
    }


def _in_file(server: Server, path: Path, diagnostics: Sequence[Diagnostic]) -> Iterator[types.Diagnostic]:
    try:
        lines = SourceFile.from_bytes(path.read_bytes(), path).lines
    except (OSError, SourceError):
        lines = []
    positions = server.positions
    folder = server.scheduler.worker.folder
    for one in diagnostics:
        start = positions.to_client(lines, one.line, one.column)
        end = positions.to_client(lines, one.end_line, one.end_column)
        places = ({"path": str(folder / note.path), "line": note.line, "column": note.column} for note in one.notes)
        related = [
            types.DiagnosticRelatedInformation(server.location(place), note.message)
            for place, note in zip(places, one.notes, strict=True)
        ]
        yield diagnostic_of(one, types.Range(start, end), related)


def _report(uri: str, items: list[types.Diagnostic], before: dict[str, str], version: int | None) -> Report:
    made = result_id(items)
    if before.get(uri) == made:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, made, version)
    return types.WorkspaceFullDocumentDiagnosticReport(uri, items, version, result_id=made)
