"""Code lens on modules: run the model, and open the report."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from shapecheck.lsp.documents import Document, Part
from shapecheck.lsp.server import Server, uri_of

COMMAND = "shapecheck.run"


def register(server: Server) -> None:
    """Adds the feature."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions())
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        found = server.document(params.text_document.uri)
        if found is None or not server.settings.code_lens:
            return []
        if found[0].good is None:
            await server.scheduler.settled(found[0])
        return list(_lenses(server, *found))

    @server.command(COMMAND)
    async def run(path: str, name: str) -> bool:
        """Runs a model as it is on disk, and shows the report."""
        folder = Path(tempfile.mkdtemp(prefix="shapecheck-"))
        report = folder / "report.html"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "shapecheck", "run", "--quiet", f"{path}:{name}", "--output", str(report)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=server.scheduler.worker.folder,
        )
        output, _ = await process.communicate()
        if output:
            server.log(output.decode(errors="replace"))
        if not report.is_file():
            message = f"shapecheck cannot run {name}; see the log"
            server.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))
            return False
        if server.supports("window", "show_document", "support"):
            await server.window_show_document_async(types.ShowDocumentParams(uri_of(str(report)), external=True))
        else:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"the report is {report}"))
        return True

    def refresh(_: Document) -> None:
        if server.supports("workspace", "code_lens", "refresh_support"):
            server.workspace_code_lens_refresh(None)

    server.scheduler.reported.append(refresh)


def _lenses(server: Server, document: Document, part: Part) -> Iterator[types.CodeLens]:
    """The lenses of annotated modules: those that `shapecheck run` can build inputs for."""
    if document.good is None or document.path.suffix != ".py":
        return
    moved = document.since(document.good)
    for one in document.good.report.models:
        line = moved.to_new(one.line - 1)
        if one.is_annotated and line is not None and part.first <= line < part.first + part.count:
            at = server.positions.to_client(document.now.lines, line + 1, one.column, part.first)
            command = types.Command(f"Run {one.name}", COMMAND, arguments=[str(document.path), one.name])
            yield types.CodeLens(types.Range(at, at), command)
