from __future__ import annotations

import pytest
from lsprotocol import types

from shapecheck.static.entry.checker import check
from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio

GOOD = """\
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, hidden=256):
        super().__init__()
        self.up = nn.Linear(64, hidden)
        self.out = nn.Linear(hidden, 10)

    def forward(self, x):
        return self.out(self.up(x))
"""
BAD = GOOD.replace("Linear(hidden, 10)", "Linear(128, 10)")


async def test_findings_appear_and_disappear_while_the_text_changes(editor: Editor) -> None:
    editor.open("head.py", GOOD)
    assert await editor.codes("head.py") == []
    editor.replace("head.py", "Linear(hidden, 10)", "Linear(128, 10)")
    assert await editor.codes("head.py") == [(12, "shape-mismatch")]
    editor.replace("head.py", "Linear(128, 10)", "Linear(hidden, 10)")
    assert await editor.codes("head.py") == []


async def test_a_diagnostic_has_severity_notes_and_a_page(editor: Editor) -> None:
    editor.open("head.py", BAD)
    (one,) = await editor.diagnostics("head.py")
    assert one.message.startswith("Linear: expected the last dimension of the input to be 128, got 256")
    assert one.severity is types.DiagnosticSeverity.Warning
    assert one.source == "shapecheck"
    assert one.range == types.Range(types.Position(11, 15), types.Position(11, 35))
    assert one.code_description is not None
    assert one.code_description.href.endswith("/shape-mismatch.md")
    notes = [(note.location.range.start.line, note.message) for note in one.related_information or []]
    assert (8, "layer expects 128: nn.Linear(128, 10)") in notes
    assert (5, "256 comes from hidden=256") in notes


async def test_code_without_effect_is_faded_out(editor: Editor) -> None:
    editor.open("head.py", BAD.replace("        return", "        x.masked_fill(x > 0, 1)\n        return"))
    tags = {one.code: one.tags for one in await editor.diagnostics("head.py")}
    assert tags == {"discarded-result": (types.DiagnosticTag.Unnecessary,), "shape-mismatch": None}


async def test_findings_are_those_of_the_command(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    editor.open("head.py", BAD)
    found = await editor.diagnostics("head.py")
    monkeypatch.chdir(editor.folder)
    expected = check([editor.folder / "head.py"])
    assert [(one.range.start.line + 1, one.code, one.message) for one in found] == [
        (one.line, one.code, one.message) for one in expected
    ]


async def test_the_text_of_other_open_documents_counts_before_it_is_saved(editor: Editor) -> None:
    editor.open("sizes.py", "WIDTH = 8\n")
    editor.open("use.py", "import torch\nfrom sizes import WIDTH\n\ntorch.zeros(2, 8) @ torch.zeros(WIDTH, 3)\n")
    assert await editor.codes("use.py") == []
    editor.type("sizes.py", "WIDTH = 9\n")
    editor.published.clear()
    assert await editor.codes("use.py") == [(4, "shape-mismatch")]


async def test_the_calls_of_another_document_count_as_long_as_it_is_open(editor: Editor) -> None:
    editor.open("product.py", "import torch\n\ndef product(x, y):\n    return x @ y\n")
    assert await editor.codes("product.py") == []
    call = "import torch\nfrom product import product\n\nproduct(torch.zeros(2, 3), torch.zeros(4, 5))\n"
    editor.published.clear()
    editor.open("use.py", call)
    assert await editor.codes("product.py") == [(4, "shape-mismatch")]
    editor.published.clear()
    editor.type("use.py", call.replace("4, 5", "3, 5"))
    assert await editor.codes("product.py") == []
    editor.published.clear()
    editor.type("use.py", call)
    assert await editor.codes("product.py") == [(4, "shape-mismatch")]
    editor.published.clear()
    editor.close("use.py")
    assert await editor.codes("product.py") == []


async def test_an_incomplete_text_keeps_the_findings_of_other_lines(editor: Editor) -> None:
    editor.open("head.py", BAD)
    await editor.diagnostics("head.py")
    editor.type("head.py", BAD.replace("import torch\n", "import torch\nx = (\n"))
    found = await editor.diagnostics("head.py")
    assert [(one.range.start.line + 1, one.code) for one in found] == [(13, "shape-mismatch"), (2, "syntax-error")]
    assert found[1].severity is types.DiagnosticSeverity.Information


async def test_findings_in_the_broken_lines_are_held_back(editor: Editor) -> None:
    editor.open("head.py", BAD)
    await editor.diagnostics("head.py")
    editor.replace("head.py", "return self.out(self.up(x))", "return self.out(self.up(x)")
    assert [code for _, code in await editor.codes("head.py")] == ["syntax-error"]


async def test_a_comment_that_is_not_saved_suppresses(editor: Editor) -> None:
    editor.open("head.py", BAD)
    assert len(await editor.diagnostics("head.py")) == 1
    editor.replace("head.py", "(self.up(x))", "(self.up(x))  # shapecheck: ignore[shape-mismatch]")
    assert await editor.codes("head.py") == []


async def test_the_configuration_counts(editor: Editor) -> None:
    (editor.folder / "pyproject.toml").write_text('[tool.shapecheck.check]\nignore = ["shape-mismatch"]\n')
    editor.open("head.py", BAD)
    assert await editor.codes("head.py") == []


async def test_a_document_that_was_never_saved_is_checked(editor: Editor) -> None:
    editor.open("new.py", BAD, is_saved=False)
    assert await editor.codes("new.py") == [(12, "shape-mismatch")]


async def test_a_closed_document_has_no_findings(editor: Editor) -> None:
    editor.open("head.py", BAD)
    await editor.diagnostics("head.py")
    editor.close("head.py")
    await editor.hints("head.py")
    assert editor.published[editor.uri("head.py")].diagnostics == ()


async def test_positions_count_as_the_client_does(editor: Editor) -> None:
    editor.open("wide.py", 'import torch\n\nname = "\U0001f600\U0001f600"; torch.zeros(2, 3) @ torch.zeros(4, 5)\n')
    (one,) = await editor.diagnostics("wide.py")
    assert one.range.start == types.Position(2, 15)


async def test_a_client_may_ask_instead(pulling_editor: Editor) -> None:
    pulling_editor.open("head.py", BAD)
    identifier = types.TextDocumentIdentifier(pulling_editor.uri("head.py"))
    ask = pulling_editor.client.text_document_diagnostic_async
    first = await ask(types.DocumentDiagnosticParams(identifier))
    assert [one.code for one in first.items] == ["shape-mismatch"]
    second = await ask(types.DocumentDiagnosticParams(identifier, previous_result_id=first.result_id))
    assert second.kind == "unchanged"
    pulling_editor.replace("head.py", "Linear(128, 10)", "Linear(hidden, 10)")
    third = await ask(types.DocumentDiagnosticParams(identifier, previous_result_id=first.result_id))
    assert list(third.items) == []
    assert pulling_editor.published == {}
