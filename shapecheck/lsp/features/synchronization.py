"""Open, changed and closed documents, and files that change on disk."""

from __future__ import annotations

from lsprotocol import types

from shapecheck.lsp.scheduler import whole
from shapecheck.lsp.server import Server, path_of


def register(server: Server) -> None:
    """Adds the feature."""
    scheduler = server.scheduler

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        one = params.text_document
        if one.language_id == "python" and not one.uri.startswith("vscode-notebook-cell:"):
            scheduler.open(one.uri, path_of(one.uri), whole(one.uri, one.version, one.text))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        document = scheduler.documents.get(uri)
        if document is not None and document.uri == uri:
            text = server.workspace.get_text_document(uri).source
            scheduler.change(document, whole(uri, params.text_document.version, text))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        document = scheduler.documents.get(params.text_document.uri)
        if document is not None and document.uri == params.text_document.uri:
            scheduler.close(document)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: types.DidSaveTextDocumentParams) -> None:
        server.project_check.is_stale = True

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files(params: types.DidChangeWatchedFilesParams) -> None:
        server.project_check.is_stale = True
        closed = [one.uri for one in params.changes if one.uri not in scheduler.documents]
        if closed:
            scheduler.files_changed([str(path_of(one)) for one in closed])
