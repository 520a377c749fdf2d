"""An editor for tests: the client of pytest-lsp, in the words of someone who types."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features

from tests.patience import PATIENCE

EVERYTHING = types.Range(types.Position(0, 0), types.Position(100_000, 0))


class Editor:
    """Documents in a folder, and a server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client: Any = LanguageClient(converter_factory=default_converter)
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.capabilities: Any = None
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.parts: list[types.ProgressParams] = []
        """The partial results."""
        self._news = asyncio.Event()

    async def start(self, command: list[str], capabilities: types.ClientCapabilities) -> None:
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self._news.set()

        def came_in_part(params: types.ProgressParams) -> None:
            self.parts.append(params)

        own = {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: published, types.PROGRESS: came_in_part}
        register_lsp_features(self.client, {**DEFAULT_CLIENT_FEATURES, **own})
        refreshed = (types.WORKSPACE_INLAY_HINT_REFRESH, types.WORKSPACE_CODE_LENS_REFRESH)
        for method in (*refreshed, types.CLIENT_REGISTER_CAPABILITY):
            self.client.feature(method)(lambda _: None)
        await self.client.start_io(*command)
        parameters = types.InitializeParams(capabilities=capabilities, root_uri=self.folder.as_uri())
        self.capabilities = (await self.client.initialize_session(parameters)).capabilities

    async def stop(self) -> None:
        await self.client.shutdown_session()
        await self.client.stop()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, *, is_saved: bool = True) -> None:
        if is_saved:
            (self.folder / name).write_text(text)
        self.versions[name], self.texts[name] = 1, text
        item = types.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, name: str, text: str) -> None:
        """Replaces the text without saving it."""
        self.versions[name] += 1
        self.texts[name] = text
        at = types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(at, [change]))

    def replace(self, name: str, old: str, new: str) -> None:
        assert old in self.texts[name]
        self.type(name, self.texts[name].replace(old, new))

    def close(self, name: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    async def diagnostics(self, name: str) -> list[types.Diagnostic]:
        """What is published about the present version."""
        uri = self.uri(name)

        async def arrived() -> list[types.Diagnostic]:
            while uri not in self.published or self.published[uri].version != self.versions[name]:
                self._news.clear()
                await self._news.wait()
            return list(self.published[uri].diagnostics)

        return await asyncio.wait_for(arrived(), PATIENCE)

    async def codes(self, name: str) -> list[tuple[int, str]]:
        """The lines, from 1, and the codes of the published findings."""
        return [(one.range.start.line + 1, str(one.code)) for one in await self.diagnostics(name)]

    async def hints(self, name: str) -> list[types.InlayHint]:
        identifier = types.TextDocumentIdentifier(self.uri(name))
        parameters = types.InlayHintParams(identifier, EVERYTHING)
        return list(await self.client.text_document_inlay_hint_async(parameters))

    async def shown(self, name: str) -> str:
        """The text as an editor shows it, with the hints between « and »."""
        lines = self.texts[name].splitlines()
        for hint in reversed(await self.hints(name)):
            line, column = hint.position.line, hint.position.character
            lines[line] = f"{lines[line][:column]}«{hint.label}»{lines[line][column:]}"
        return "\n".join(lines)

    def place(self, name: str, text: str, inside: int = 0) -> types.Position:
        """The place of the first occurrence of a text."""
        before = self.texts[name][: self.texts[name].index(text) + inside]
        return types.Position(before.count("\n"), len(before.rpartition("\n")[2]))

    async def hover(self, name: str, text: str, inside: int = 0) -> str:
        identifier = types.TextDocumentIdentifier(self.uri(name))
        parameters = types.HoverParams(identifier, self.place(name, text, inside))
        found = await self.client.text_document_hover_async(parameters)
        return "" if found is None else found.contents.value

    async def definition(self, name: str, text: str, inside: int = 0) -> list[tuple[str, int]]:
        """The files and the lines, from 1."""
        identifier = types.TextDocumentIdentifier(self.uri(name))
        parameters = types.DefinitionParams(identifier, self.place(name, text, inside))
        found = await self.client.text_document_definition_async(parameters) or []
        return [(one.uri.rpartition("/")[2], one.range.start.line + 1) for one in found]

    async def references(self, name: str, text: str, inside: int = 0, *, declaration: bool = True) -> list[str]:
        """The places as `file:line text`, the line from 1."""
        identifier = types.TextDocumentIdentifier(self.uri(name))
        context = types.ReferenceContext(declaration)
        parameters = types.ReferenceParams(context, identifier, self.place(name, text, inside))
        return [self._text_at(one) for one in await self.client.text_document_references_async(parameters) or []]

    def _text_at(self, location: types.Location) -> str:
        file, at = location.uri.rpartition("/")[2], location.range
        line = (self.texts.get(file) or (self.folder / file).read_text()).splitlines()[at.start.line]
        return f"{file}:{at.start.line + 1} {line[at.start.character : at.end.character]}"

    async def actions(self, name: str, text: str) -> dict[str, types.CodeAction]:
        """The actions at a text, by title."""
        at = self.place(name, text)
        near = [one for one in await self.diagnostics(name) if one.range.start.line == at.line]
        parameters = types.CodeActionParams(
            types.TextDocumentIdentifier(self.uri(name)), types.Range(at, at), types.CodeActionContext(near)
        )
        found = await self.client.text_document_code_action_async(parameters) or []
        return {one.title: one for one in found}

    async def resolved(self, action: types.CodeAction) -> types.CodeAction:
        return await self.client.code_action_resolve_async(action)

    def apply(self, name: str, action: types.CodeAction) -> str:
        """Applies an action; returns the new text, which is also typed."""
        edit = action.edit
        assert edit is not None
        if edit.document_changes is not None:
            edits = [one for change in edit.document_changes for one in change.edits]
        else:
            edits = (edit.changes or {})[self.uri(name)]
        text = self.texts[name]
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for one in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
            first = starts[one.range.start.line] + one.range.start.character
            last = starts[one.range.end.line] + one.range.end.character
            text = text[:first] + one.new_text + text[last:]
        self.type(name, text)
        return text
