"""Hover: what is known about a value, and where its sizes come from."""

from __future__ import annotations

from lsprotocol import types

from shapecheck.lsp.server import Server


def register(server: Server) -> None:
    """Adds the feature."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        at = types.Range(params.position, params.position)
        asked = server.question("hover", uri, at, {})
        if asked is None:
            return None
        document, question = asked
        found = await server.scheduler.ask(document, question)
        if not isinstance(found, dict):
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, found["text"])
        return types.Hover(content, server.range_now(document, uri, tuple(found["range"])))
