"""Definition of a size: where it comes from. Other servers know the definitions of names."""

from __future__ import annotations

from lsprotocol import types

from shapecheck.lsp.server import Server


def register(server: Server) -> None:
    """Adds the feature."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        at = types.Range(params.position, params.position)
        asked = server.question("origins", params.text_document.uri, at, {"sizes_only": True})
        found = None if asked is None else await server.scheduler.ask(*asked)
        return [server.location(one) for one in found] if isinstance(found, list) else []
