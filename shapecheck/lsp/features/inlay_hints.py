"""Inlay hints: shapes behind the names that tensors are assigned to, and in signatures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from shapecheck.lsp.documents import Document, Part
from shapecheck.lsp.messages import Question
from shapecheck.lsp.server import Server

_WAIT = 2.0
"""Seconds that a client which cannot be told to ask again waits for the report about the present text."""


def register(server: Server) -> None:
    """Adds the feature."""

    def refreshes() -> bool:
        return server.supports("workspace", "inlay_hint", "refresh_support")

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=True))
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        found = server.document(params.text_document.uri)
        if found is None or not server.settings.inlay_hints.enabled:
            return []
        if found[0].good is None or not refreshes():
            await server.scheduler.settled(found[0])
        return [
            one
            for one in hints_in(server, *found)
            if params.range.start.line <= one.position.line <= params.range.end.line
        ]

    @server.feature(types.INLAY_HINT_RESOLVE)
    async def resolve(hint: types.InlayHint) -> types.InlayHint:
        at: dict[str, Any] = hint.data if isinstance(hint.data, dict) else {}
        found = server.document(at.get("uri", ""))
        if found is None:
            return hint
        document = found[0]
        line, column = at["line"], at["column"]
        question = Question(0, "origins", str(document.path), line, column, line, column, {"before": True})
        origins = await server.scheduler.ask(document, question)
        return with_origins(server, hint, origins if isinstance(origins, list) else [])

    def refresh(_: Document) -> None:
        if refreshes():
            server.workspace_inlay_hint_refresh(None)

    server.scheduler.reported.append(refresh)


def hints_in(server: Server, document: Document, part: Part) -> Iterator[types.InlayHint]:
    """The hints of a part of a document, on lines that have not changed since its last report."""
    good, wanted = document.good, server.settings.inlay_hints
    if good is None:
        return
    moved = document.since(good)
    kinds = {"assigned": wanted.assigned, "parameter": wanted.parameters, "result": wanted.results}
    for one in good.report.hints:
        line = moved.to_new(one.line - 1)
        if kinds[one.kind] and line is not None and part.first <= line < part.first + part.count:
            at = server.positions.to_client(document.now.lines, line + 1, one.column, part.first)
            label = one.label(with_dtype=wanted.dtype)
            data = {"uri": part.uri, "line": one.line, "column": one.column}
            yield types.InlayHint(at, label, types.InlayHintKind.Type, data=data)


def with_origins(server: Server, hint: types.InlayHint, origins: list[dict[str, Any]]) -> types.InlayHint:
    """The hint with a tooltip about the origin of each size; the first leads there."""
    if origins:
        lines = [f"- {one['text']}" for one in origins]
        hint.tooltip = types.MarkupContent(types.MarkupKind.Markdown, "\n".join(lines))
        text = hint.label if isinstance(hint.label, str) else "".join(one.value for one in hint.label)
        hint.label = [types.InlayHintLabelPart(text, location=server.location(origins[0]))]
    return hint
