from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio

MODEL = """\
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        return self.layer(x)


class Plain(nn.Module):
    def forward(self, x):
        return x
"""


async def test_annotated_modules_can_be_run(editor: Editor) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("jinja2")
    editor.open("net.py", MODEL)
    await editor.diagnostics("net.py")
    identifier = types.TextDocumentIdentifier(editor.uri("net.py"))
    (lens,) = await editor.client.text_document_code_lens_async(types.CodeLensParams(identifier))
    assert lens.range.start == types.Position(4, 0)
    assert lens.command.title == "Run Net"
    parameters = types.ExecuteCommandParams(lens.command.command, arguments=lens.command.arguments)
    assert await editor.client.workspace_execute_command_async(parameters) is True
    (message,) = editor.client.messages
    report = Path(message.message.removeprefix("the report is "))
    assert "Net" in report.read_text()


async def test_a_model_that_cannot_run_leads_to_a_message(editor: Editor) -> None:
    parameters = types.ExecuteCommandParams("shapecheck.run", arguments=[str(editor.folder / "none.py"), "Net"])
    assert await editor.client.workspace_execute_command_async(parameters) is False
    (message,) = editor.client.messages
    assert message.message == "shapecheck cannot run Net; see the log"
