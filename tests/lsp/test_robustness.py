from __future__ import annotations

import asyncio
import random
import signal
import sys

import pytest
from lsprotocol import types

from shapecheck.static.entry.checker import check
from tests.lsp.editor import Editor
from tests.lsp.test_diagnostics import BAD, GOOD
from tests.patience import PATIENCE

pytestmark = pytest.mark.asyncio

NEW_PROCESS = [sys.executable, "-m", "shapecheck", "lsp"]
"""A server whose processes are its children, and can be killed."""


def workers_of(server: int) -> list[int]:
    """The processes that a server has started."""
    import psutil  # noqa: PLC0415 - where there is one

    return [one.pid for one in psutil.Process(server).children(recursive=True)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("server_command", [NEW_PROCESS])
async def test_a_worker_that_dies_is_replaced(editor: Editor) -> None:
    psutil = pytest.importorskip("psutil")
    editor.open("head.py", GOOD)
    await editor.diagnostics("head.py")
    (worker,) = workers_of(editor.client._server.pid)
    psutil.Process(worker).send_signal(signal.SIGKILL)
    editor.type("head.py", BAD)
    assert await editor.codes("head.py") == [(12, "shape-mismatch")]
    assert "(?)" in await editor.shown("head.py") or "64" in await editor.shown("head.py")
    assert any("starting another one" in one.message for one in editor.client.log_messages)


async def test_every_request_is_answered_while_the_text_changes(editor: Editor) -> None:
    editor.open("head.py", GOOD)
    identifier = types.TextDocumentIdentifier(editor.uri("head.py"))
    requests = []
    for number in range(20):
        editor.type("head.py", f"# {number}\n" * number + (BAD if number % 2 else GOOD))
        hover = types.HoverParams(identifier, types.Position(11, 16))
        requests.append(editor.client.text_document_hover_async(hover))
        requests.append(editor.hints("head.py"))
    await asyncio.wait_for(asyncio.gather(*requests), PATIENCE)
    assert [code for _, code in await editor.codes("head.py")] == ["shape-mismatch"]


async def test_random_edits_end_with_the_findings_of_a_fresh_check(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(7)
    texts = {"a.py": BAD, "b.py": "import torch\nfrom a import Head\n\ntorch.zeros(2, 3) @ torch.zeros(4, 5)\n"}
    for name, text in texts.items():
        editor.open(name, text)
    for _ in range(60):
        name = chance.choice(sorted(texts))
        text = editor.texts[name]
        place = chance.randrange(len(text) + 1)
        edit = chance.choice(["", "x", "\n", "(", "8", "torch.zeros(3)", texts[name]])
        editor.type(name, text[:place] + edit + text[place + chance.randrange(4) :])
        if chance.random() < 0.2:
            await asyncio.sleep(0.05)
    for name, text in texts.items():
        editor.type(name, text)
        (editor.folder / name).write_text(text)
    await asyncio.sleep(1)
    found = {(name, *one) for name in texts for one in await editor.codes(name)}
    monkeypatch.chdir(editor.folder)
    expected = check([editor.folder / name for name in texts])
    assert found == {(one.path, one.line, one.code) for one in expected}
    assert len(found) == 2
