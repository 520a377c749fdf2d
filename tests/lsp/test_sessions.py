"""Sessions of random edits, undos, renames and cancelled requests on two documents.

Every request is answered, memory stays bounded, and at each pause the findings are those of a fresh `check`.
`SHAPECHECK_EDITS` is the number of edits: 150 by default, 5,000 in `nox -s long`.
"""

from __future__ import annotations

import ast
import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from shapecheck.static.entry.checker import check
from tests.amount import amount
from tests.lsp.editor import EVERYTHING, Editor
from tests.patience import AT_ONCE, PATIENCE
from tests.random_edits import edited

pytestmark = pytest.mark.asyncio

EDITS = amount("SHAPECHECK_EDITS", short=150, long=5000)
BETWEEN_PAUSES = 50 if EDITS <= 500 else 200
MOST_GROWTH = 400
"""Megabytes that a session may add to the memory of the server and its worker after the first pause."""
MODEL = (Path(__file__).parents[2] / "examples" / "broken" / "vit.py").read_text()
USE = """\
import torch
from model import Attention, Config, ViT

config = Config()
images = torch.zeros(2, 3, config.height, config.width)
scores = ViT(config)(images)
tokens = Attention(config)(torch.zeros(2, 13, config.width))
torch.zeros(2, 3) @ torch.zeros(4, 5)
"""
TYPED = ["", "x", "\n", "(", "8", "torch.zeros(3)", "    ", "self.", "é", '"""']


class Session:
    """A person who is not patient."""

    def __init__(self, editor: Editor, seed: int) -> None:
        self.editor = editor
        self.chance = random.Random(seed)
        self.names = ["model.py", "use.py"]
        self.past: dict[str, list[str]] = {name: [] for name in self.names}
        self.requests: list[asyncio.Task[bool]] = []
        self.cancelled = 0
        self.compared = 0
        """The findings at all pauses."""

    def open(self) -> None:
        for name, text in zip(self.names, (MODEL, USE), strict=True):
            self.editor.open(name, text)

    async def step(self) -> None:
        name = self.chance.choice(self.names)
        action = self.chance.choices([self.edit, self.type, self.undo, self.rename], [8, 8, 3, 0.3])[0]
        action(name)
        if self.chance.random() < 0.5:
            self.ask(self.chance.choice(self.names))
        await asyncio.sleep(0.3 if self.chance.random() < 0.03 else 0.01)

    def edit(self, name: str) -> None:
        """An edit as people make them, such as another name or number."""
        found = edited(self.chance, self.editor.texts[name])
        if found is None:
            self.undo(name)
        else:
            self.put(name, found[1])

    def type(self, name: str) -> None:
        """A few characters anywhere."""
        text = self.editor.texts[name]
        at = self.chance.randrange(len(text) + 1)
        self.put(name, text[:at] + self.chance.choice(TYPED) + text[at + self.chance.randrange(4) :])

    def put(self, name: str, text: str) -> None:
        self.past[name].append(self.editor.texts[name])
        self.editor.type(name, text)

    def undo(self, name: str) -> None:
        if self.past[name]:
            self.editor.type(name, self.past[name].pop())

    def rename(self, name: str) -> None:
        """The other document gets another name; the model keeps the one that it is imported by."""
        old, new = self.names[1], f"use{self.chance.randrange(100)}.py"
        if new == old:
            return
        text, self.names[1] = self.editor.texts.pop(old), new
        self.past[new] = self.past.pop(old)
        self.editor.close(old)
        (self.editor.folder / old).unlink()
        event = types.FileEvent(self.editor.uri(old), types.FileChangeType.Deleted)
        self.editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        self.editor.open(new, text)

    def ask(self, name: str) -> None:
        """A request that may be cancelled."""
        identifier = types.TextDocumentIdentifier(self.editor.uri(name))
        lines = self.editor.texts[name].splitlines() or [""]
        line = self.chance.randrange(len(lines))
        at = types.Position(line, self.chance.randrange(len(lines[line]) + 1))
        context = types.CodeActionContext([])
        method, parameters = self.chance.choice(
            [
                (types.TEXT_DOCUMENT_HOVER, types.HoverParams(identifier, at)),
                (types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(identifier, at)),
                (types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(identifier, EVERYTHING)),
                (types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(identifier)),
                (types.TEXT_DOCUMENT_DIAGNOSTIC, types.DocumentDiagnosticParams(identifier)),
                (types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionParams(identifier, types.Range(at, at), context)),
                (
                    types.TEXT_DOCUMENT_REFERENCES,
                    types.ReferenceParams(types.ReferenceContext(self.chance.random() < 0.5), identifier, at),
                ),
            ]
        )
        key = f"request {len(self.requests)}"
        self.requests.append(asyncio.create_task(self.answered(method, parameters, key)))
        if self.chance.random() < 0.3:
            asyncio.get_running_loop().call_later(self.chance.random() / 20, self.cancel, key)

    async def answered(self, method: str, parameters: object, key: str) -> bool:
        """Whether there is a result, or the answer that the request was cancelled."""
        try:
            await self.editor.client.protocol.send_request_async(method, parameters, msg_id=key)
        except JsonRpcException as error:
            self.cancelled += "cancel" in str(error)
            return "cancel" in str(error)
        return True

    def cancel(self, key: str) -> None:
        self.editor.client.cancel_request(types.CancelParams(key))

    async def pause(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Goes back to text that parses, saves it, and compares."""
        for name in self.names:
            while not parses(self.editor.texts[name]):
                self.undo(name)
            (self.editor.folder / name).write_text(self.editor.texts[name])
        monkeypatch.chdir(self.editor.folder)
        found = sorted({(one.path, one.line, one.code) for one in check([self.editor.folder / n for n in self.names])})
        deadline = time.monotonic() + AT_ONCE
        while (shown := await self.shown()) != found and time.monotonic() < deadline:
            await asyncio.sleep(0.2)
        assert shown == found
        self.compared += len(found)

    async def shown(self) -> list[tuple[str, int, str]]:
        return sorted({(name, *one) for name in self.names for one in await self.editor.codes(name)})


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def megabytes(server: int) -> float:
    psutil = pytest.importorskip("psutil")
    process = psutil.Process(server)
    return sum(one.memory_info().rss for one in (process, *process.children(recursive=True))) / 1e6


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
async def test_a_session_ends_with_the_findings_of_a_fresh_check(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    session = Session(editor, seed=21)
    session.open()
    server = editor.client._server.pid
    before = 0.0
    for number in range(1, EDITS + 1):
        await session.step()
        if number % BETWEEN_PAUSES == 0:
            await session.pause(monkeypatch)
            before = before or megabytes(server)
    answers = await asyncio.wait_for(asyncio.gather(*session.requests), PATIENCE)
    assert all(answers)
    assert len(answers) > EDITS / 4
    assert session.cancelled
    assert session.compared
    assert megabytes(server) < before + MOST_GROWTH
    assert not any("Traceback" in one.message for one in editor.client.log_messages)
    sent = f"{EDITS} edits, {len(answers)} requests, {session.cancelled} of them cancelled"
    record_property("session", f"{sent}; {before:.0f} MB after the first pause, {megabytes(server):.0f} MB at the end")
