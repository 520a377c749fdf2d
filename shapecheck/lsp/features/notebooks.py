"""Notebooks: the code cells are one document, whose parts the client knows as documents of their own."""

from __future__ import annotations

from lsprotocol import types

from shapecheck.lsp.documents import Part, Snapshot
from shapecheck.lsp.server import Server, path_of
from shapecheck.project.notebook import cells_of


def register(server: Server) -> None:
    """Adds the feature."""
    scheduler = server.scheduler

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenNotebookDocumentParams) -> None:
        uri = params.notebook_document.uri
        scheduler.open(uri, path_of(uri), _snapshot(server, uri))

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeNotebookDocumentParams) -> None:
        uri = params.notebook_document.uri
        document = scheduler.documents.get(uri)
        if document is not None:
            gone = {one.uri for one in document.now.parts}
            scheduler.change(document, _snapshot(server, uri))
            for cell in gone - {one.uri for one in document.now.parts}:
                for listener in scheduler.closed:
                    listener(cell)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseNotebookDocumentParams) -> None:
        document = scheduler.documents.get(params.notebook_document.uri)
        if document is not None:
            scheduler.close(document)


def _snapshot(server: Server, uri: str) -> Snapshot:
    """The source of the code cells of a notebook."""
    notebook = server.workspace.get_notebook_document(notebook_uri=uri)
    cells = [] if notebook is None else [one for one in notebook.cells if one.kind == types.NotebookCellKind.Code]
    sources = [(n, server.workspace.get_text_document(one.document).source) for n, one in enumerate(cells, 1)]
    text, places = cells_of(sources)
    version = 0 if notebook is None else notebook.version
    parts = (Part(cell.document, place.first - 1, place.count) for cell, place in zip(cells, places, strict=True))
    return Snapshot(version, text, tuple(parts))
