"""References of a dimension: where a size is used. Other servers know the references of names."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from shapecheck.lsp.server import Server


def register(server: Server) -> None:
    """Adds the feature."""

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        at = types.Range(params.position, params.position)
        about: dict[str, Any] = {"declaration": params.context.include_declaration}
        asked = server.question("references", params.text_document.uri, at, about)
        found = None if asked is None else await server.scheduler.ask(*asked)
        return [server.location(one) for one in found] if isinstance(found, list) else []
