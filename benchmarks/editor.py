"""The time from a keystroke to new diagnostics and new hints, in the language server.

python -m benchmarks.editor FILE... [--edits N] [--save]

Each FILE is opened as it is, in the directory of the nearest pyproject.toml; nothing is written. An edit appends a
character to a comment inside of the file, after the last report has arrived: the server waits 0.15 s for further edits,
and this is part of the time. "cold" is the time from the start of the process to the first diagnostics.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient
from pygls.protocol import default_converter

from benchmarks import measure, store
from benchmarks.ratios import Ratio

PATIENCE = 120.0
TARGET = 0.3
COMMAND = [sys.executable, "-m", "shapecheck", "lsp"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--edits", type=int, default=20)
    store.add_option(parser)
    arguments = parser.parse_args()
    figures: dict[str, Any] = {}
    rows: list[tuple[object, ...]] = [("file", "lines", "cold", "median", "p95", "hints")]
    for file in arguments.files:
        found = asyncio.run(measured(COMMAND, file.absolute(), arguments.edits))
        figures[file.name] = found = {"lines": len(file.read_text().splitlines()), **found}
        times = (f"{found[key]:.2f} s" for key in ("cold", "median", "p95"))
        rows.append((file.name, found["lines"], *times, found["hints"]))
    print(measure.table(rows))
    ratios = [
        Ratio(f"seconds from a keystroke in {name} to diagnostics and hints", one["median"], TARGET)
        for name, one in figures.items()
    ]
    print(*(one.line() for one in ratios), sep="\n")
    store.keep(arguments.save, "editor", {"files": figures}, ["shapecheck", "pygls"], ratios)


async def measured(command: list[str], file: Path, edits: int) -> dict[str, float]:
    session = Session(file)
    began = time.perf_counter()
    await session.start(command)
    await session.shown(0)
    cold = time.perf_counter() - began
    hints = await session.hints()
    times = []
    for number in range(1, edits + 1):
        began = time.perf_counter()
        session.edit(number)
        await session.shown(number)
        hints = await session.hints()
        times.append(time.perf_counter() - began)
        await asyncio.sleep(0.05)
    await session.stop()
    ordered = sorted(times)
    slow = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {"cold": cold, "median": statistics.median(times), "p95": slow, "hints": hints}


class Session:
    """One server with one open document."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.text = file.read_text()
        self.line = len(self.text.splitlines()) // 2
        self.client = BaseLanguageClient("benchmark", "0", converter_factory=default_converter)
        self.seen = -1
        self.news = asyncio.Event()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            if params.uri == self.file.as_uri():
                self.seen = max(self.seen, params.version or 0)
                self.news.set()

    async def start(self, command: list[str]) -> None:
        await self.client.start_io(*command)
        root = next((one for one in self.file.parents if (one / "pyproject.toml").is_file()), self.file.parent)
        folders = [types.WorkspaceFolder(root.as_uri(), root.name)]
        parameters = types.InitializeParams(
            types.ClientCapabilities(), root_uri=root.as_uri(), workspace_folders=folders
        )
        await self.client.initialize_async(parameters)
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(self.file.as_uri(), "python", 0, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def edit(self, number: int) -> None:
        """Appends a comment to a line in the middle, or another character to it."""
        lines = self.text.splitlines()
        lines.insert(self.line, "# " + "x" * number)
        change = types.TextDocumentContentChangeWholeDocument("\n".join(lines) + "\n")
        at = types.VersionedTextDocumentIdentifier(number, self.file.as_uri())
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(at, [change]))

    async def shown(self, number: int) -> None:
        """Returns when there are diagnostics about a version."""

        async def arrived() -> None:
            while self.seen < number:
                self.news.clear()
                await self.news.wait()

        await asyncio.wait_for(arrived(), PATIENCE)

    async def hints(self) -> int:
        everything = types.Range(types.Position(0, 0), types.Position(len(self.text.splitlines()), 0))
        parameters = types.InlayHintParams(types.TextDocumentIdentifier(self.file.as_uri()), everything)
        return len(await self.client.text_document_inlay_hint_async(parameters) or ())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


if __name__ == "__main__":
    main()
