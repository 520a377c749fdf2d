"""Code actions: fixes of findings, comments that suppress them, and what `fix` and `annotate` write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from lsprotocol import types

from shapecheck.lsp.documents import Document
from shapecheck.lsp.messages import Action, Question, Replacement
from shapecheck.lsp.server import Server

_KINDS = [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite, types.CodeActionKind.SourceFixAll]


def register(server: Server) -> None:
    """Adds the feature."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(_KINDS, resolve_provider=True))
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        asked = server.question("actions", uri, params.range, {})
        if asked is None:
            return []
        document, question = asked
        found = await server.scheduler.ask(document, question)
        offered = msgspec.convert(found or [], list[Action])
        made = [one async for one in _actions(server, document, params, offered)]
        wanted = params.context.only
        return [one for one in made if wanted is None or any(_is_a(one.kind, kind) for kind in wanted)]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        about: dict[str, Any] = action.data if isinstance(action.data, dict) else {}
        found = server.document(about.get("uri", ""))
        if found is not None and action.edit is None:
            action.edit = await _later(server, found[0], about)
        return action


async def _actions(server: Server, document: Document, params: types.CodeActionParams, offered: list[Action]) -> Any:
    """The actions for a client; those whose edits come later have them now if the client cannot ask again."""
    resolves = server.supports("text_document", "code_action", "resolve_support")
    for one in offered:
        related = [it for it in params.context.diagnostics if it.code in one.codes and it.source == "shapecheck"]
        made = types.CodeAction(one.title, types.CodeActionKind(one.kind), related or None)
        made.is_preferred = one.is_preferred or None
        if one.edits:
            made.edit = workspace_edit(server, document, one.edits)
            if made.edit is None:
                continue
        else:
            made.data = {**one.later, "uri": params.text_document.uri}
            if not resolves:
                made.edit = await _later(server, document, made.data)
                if made.edit is None:
                    continue
        yield made


async def _later(server: Server, document: Document, about: dict[str, Any]) -> types.WorkspaceEdit | None:
    question = Question(0, about["topic"], str(document.path), about=about)
    found = await server.scheduler.ask(document, question)
    edits = msgspec.convert(found or [], list[Replacement])
    return workspace_edit(server, document, edits) if edits else None


def workspace_edit(server: Server, document: Document, edits: list[Replacement]) -> types.WorkspaceEdit | None:
    """The edits of the last text that was analyzed, in the present one; None if it has changed there."""
    changes: dict[str, list[types.TextEdit]] = {}
    for uri, edit in _text_edits(server, document, edits):
        if edit is None:
            return None
        changes.setdefault(uri, []).append(edit)
    if server.supports("workspace", "workspace_edit", "document_changes"):
        parts = [
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(
                    uri, document.now.version if uri == document.uri else None
                ),
                list(found),
            )
            for uri, found in changes.items()
        ]
        return types.WorkspaceEdit(document_changes=list(parts))
    return types.WorkspaceEdit(changes)


def _text_edits(
    server: Server, document: Document, edits: list[Replacement]
) -> Iterator[tuple[str, types.TextEdit | None]]:
    assert document.good is not None
    moved, positions, lines = document.since(document.good), server.positions, document.now.lines
    old = document.good.snapshot.lines
    for one in edits:
        first, last = moved.to_new(one.line - 1), moved.to_new(one.end_line - 1)
        if one.end_line == len(old) + 1:
            last = len(lines) if document.is_current else last
        if one.line == len(old) + 1:
            first = last
        part = None if first is None else document.part_at(first)
        if first is None or last is None or part is None:
            yield document.uri, None
            continue
        start = positions.to_client(lines, first + 1, one.column, part.first)
        end = positions.to_client(lines, last + 1, one.end_column, part.first)
        yield part.uri, types.TextEdit(types.Range(start, end), one.text)


def _is_a(kind: types.CodeActionKind | str | None, wanted: types.CodeActionKind | str) -> bool:
    text, above = str(getattr(kind, "value", kind)), str(getattr(wanted, "value", wanted))
    return not above or text == above or text.startswith(f"{above}.")
