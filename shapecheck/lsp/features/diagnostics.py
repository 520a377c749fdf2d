"""Diagnostics: published after each report, or on request of clients that pull them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.diagnostics.declared import FOLDERS
from shapecheck.lsp.documents import Document, Examined, Part
from shapecheck.lsp.server import Server, uri_of
from shapecheck.project.reads import digest

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}
_UNNECESSARY = frozenset(("unused-ignore", "discarded-result"))
SOURCE = "shapecheck"


def register(server: Server) -> None:
    """Adds the feature."""

    def pulls() -> bool:
        return server.supports("text_document", "diagnostic")

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=SOURCE),
    )
    async def pull(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        uri = params.text_document.uri
        found = server.document(uri)
        if found is not None:
            await server.scheduler.settled(found[0])
            found = server.document(uri)
        items = [] if found is None else list(diagnostics_in(server, *found))
        version = result_id(items)
        if version == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=version)
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=version)

    def publish(document: Document) -> None:
        if not pulls():
            _publish(server, document)
        elif server.supports("workspace", "diagnostics", "refresh_support"):
            server.workspace_diagnostic_refresh(None)

    server.scheduler.reported.append(publish)

    def withdraw(uri: str) -> None:
        if not pulls():
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    server.scheduler.closed.append(withdraw)


def _publish(server: Server, document: Document) -> None:
    for part in document.now.parts:
        items = list(diagnostics_in(server, document, part))
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(part.uri, items, document.now.version))


def diagnostics_in(server: Server, document: Document, part: Part) -> Iterator[types.Diagnostic]:
    """The findings in a part of a document. While it does not parse, those of the lines that did before."""
    latest, good = document.latest, document.good
    for one in () if good is None else good.report.diagnostics:
        made = _diagnostic(server, document, part, good, one)
        if made is not None:
            yield made
    if latest is not None and latest.report.failure is not None and server.settings.syntax_errors:
        made = _diagnostic(server, document, part, latest, latest.report.failure)
        if made is not None:
            made.severity = types.DiagnosticSeverity.Information
            yield made


def _diagnostic(
    server: Server, document: Document, part: Part, seen: Examined | None, one: Diagnostic
) -> types.Diagnostic | None:
    assert seen is not None
    moved = document.since(seen)
    first, last = moved.to_new(one.line - 1), moved.to_new(one.end_line - 1)
    if first is None or last is None or not part.first <= first < part.first + part.count:
        return None
    positions, lines = server.positions, document.now.lines
    start = positions.to_client(lines, first + 1, one.column, part.first)
    end = positions.to_client(lines, last + 1, one.end_column, part.first)
    return diagnostic_of(one, types.Range(start, end), list(_related(server, document, seen, one)))


def diagnostic_of(
    one: Diagnostic, place: types.Range, related: list[types.DiagnosticRelatedInformation]
) -> types.Diagnostic:
    """A finding as the client shows it."""
    return types.Diagnostic(
        place,
        one.message,
        _SEVERITIES[one.severity],
        one.code,
        _description(one.code),
        SOURCE,
        [types.DiagnosticTag.Unnecessary] if one.code in _UNNECESSARY else None,
        related or None,
        {"line": one.line, "column": one.column},
    )


def result_id(items: Sequence[types.Diagnostic]) -> str:
    """A name of these diagnostics: others have another."""
    return digest(repr(items).encode())


def _description(code: str) -> types.CodeDescription | None:
    pages = (folder / f"{code}.md" for folder in FOLDERS)
    page = next((one for one in pages if one.is_file()), None)
    return None if page is None else types.CodeDescription(uri_of(str(page)))


def _related(
    server: Server, document: Document, seen: Examined, one: Diagnostic
) -> Iterator[types.DiagnosticRelatedInformation]:
    """The notes, at their places."""
    moved, positions = document.since(seen), server.positions
    for note in one.notes:
        path = server.scheduler.worker.folder / note.path
        if path == document.path:
            line = moved.to_new(note.line - 1)
            part = None if line is None else document.part_at(line)
            if line is None or part is None:
                continue
            at = positions.to_client(document.now.lines, line + 1, note.column, part.first)
            place = types.Location(part.uri, types.Range(at, at))
        else:
            place = server.location({"path": str(path), "line": note.line, "column": note.column})
        yield types.DiagnosticRelatedInformation(place, note.message)
