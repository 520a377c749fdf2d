from __future__ import annotations

import asyncio
from itertools import count

import pytest
from lsprotocol import types

from shapecheck.project.notebook import NotebookError, as_python, read
from tests.lsp.editor import EVERYTHING, Editor

CELLS = ["import torch\nw = torch.zeros(4, 5)", "x = torch.zeros(2, 3)\nx @ w", "y = x + 1"]
numbers = count(1)


class Notebook:
    """A notebook in an editor."""

    def __init__(self, editor: Editor, cells: list[str]) -> None:
        self.editor = editor
        self.uri = editor.uri("a.ipynb")
        self.version = 1
        self.cells = [
            f"vscode-notebook-cell:{self.uri.removeprefix('file:')}#{number}" for number, _ in enumerate(cells)
        ]
        document = types.NotebookDocument(
            self.uri,
            "jupyter-notebook",
            1,
            [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in self.cells],
        )
        items = [types.TextDocumentItem(uri, "python", 1, text) for uri, text in zip(self.cells, cells, strict=True)]
        editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(document, items))

    def type(self, cell: int, text: str) -> None:
        self.version += 1
        at = types.VersionedTextDocumentIdentifier(self.version, self.cells[cell])
        changed = types.NotebookDocumentCellContentChanges(at, [types.TextDocumentContentChangeWholeDocument(text)])
        change = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(text_content=[changed]))
        identifier = types.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        self.editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(identifier, change))

    async def findings(self, cell: int) -> list[tuple[int, str]]:
        uri = self.cells[cell]
        published = self.editor.published

        async def arrived() -> list[tuple[int, str]]:
            while uri not in published or published[uri].version != self.version:
                await asyncio.sleep(0.02)
            return [(one.range.start.line, str(one.code)) for one in published[uri].diagnostics]

        return await asyncio.wait_for(arrived(), 60)


@pytest.mark.asyncio
async def test_cells_are_one_program(editor: Editor) -> None:
    notebook = Notebook(editor, CELLS)
    assert await notebook.findings(1) == [(1, "shape-mismatch")]
    assert await notebook.findings(0) == []
    notebook.type(0, "import torch\n%matplotlib inline\nw = torch.zeros(3, 5)")
    assert await notebook.findings(1) == []


@pytest.mark.asyncio
async def test_each_cell_has_its_hints(editor: Editor) -> None:
    notebook = Notebook(editor, CELLS)
    await notebook.findings(2)
    identifier = types.TextDocumentIdentifier(notebook.cells[2])
    (hint,) = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(identifier, EVERYTHING))
    assert hint.label == ": (2, 3)"
    assert hint.position == types.Position(0, 1)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("x = 1", "x = 1"),
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("if a:\n    !ls\n", "if a:\n    pass\n"),
        ("files = !ls", "files = ..."),
        ("torch.zeros?", "pass"),
        ("%%bash\nls\ncd ..", "\n\n"),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("x = a % b", "x = a % b"),
        ("# why?", "# why?"),
    ],
)
def test_what_only_ipython_understands_is_blanked(cell: str, code: str) -> None:
    assert as_python(cell) == code


def test_the_code_cells_of_a_file_are_numbered_among_all_cells() -> None:
    raw = b"""{"cells": [{"cell_type": "markdown", "source": "# x"},
        {"cell_type": "code", "source": ["a = 1\\n", "b = 2"]}, {"cell_type": "code", "source": "c = 3"}]}"""
    text, cells = read(raw)
    assert text == "a = 1\nb = 2\nc = 3\n"
    assert [(one.number, one.first, one.count) for one in cells] == [(2, 1, 2), (3, 3, 1)]


def test_a_file_that_is_no_notebook_is_refused() -> None:
    with pytest.raises(NotebookError, match="not a notebook"):
        read(b"x = 1")
