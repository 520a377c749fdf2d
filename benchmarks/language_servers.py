"""Language servers of shapecheck and of other tools, and a small client of them.

The messages stay plain JSON: lsprotocol rejects the capabilities of some servers.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.environments import python_of

PATIENCE = 120.0
ENVIRONMENTS = {
    "editor-pyrefly": ("pyrefly", "pyrefly-torch-stubs", "torch", "numpy"),
    "editor-others": ("torchtyc[einops,lsp]", "basedpyright", "ty", "torch", "jaxtyping==0.3.11", "beartype", "numpy"),
}
"""The packages of the other servers. The stubs for Pyrefly are no use to other servers, which would read them."""
_CAPABILITIES = {
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "inlayHint": {},
    },
}
Message = dict[str, Any]


@dataclass(frozen=True)
class LanguageServer:
    """A server: its name, its command, and the interpreter whose packages it reads."""

    name: str
    command: tuple[str, ...]
    python: Path
    package: str


OURS = LanguageServer(
    "shapecheck", (sys.executable, "-m", "shapecheck", "lsp"), Path(sys.executable), "torch-shapecheck"
)


def rivals(folder: Path) -> list[LanguageServer]:
    """The other servers, in environments in this directory that are created on first use."""
    pyrefly, others = (python_of(folder, name, packages) for name, packages in ENVIRONMENTS.items())
    commands = (
        ("Pyrefly", pyrefly, "pyrefly", ("pyrefly", "lsp")),
        ("torchtyc", others, "torchtyc", ("torchtyc", "lsp")),
        ("basedpyright", others, "basedpyright", ("basedpyright-langserver", "--stdio")),
        ("ty", others, "ty", ("ty", "server")),
    )
    return [
        LanguageServer(name, (str(python.parent / first), *rest), python, package)
        for name, python, package, (first, *rest) in commands
    ]


class NoAnswer(Exception):
    """The server refused a request, or ended."""


class Connection:
    """Requests and notifications to a server, and what it says."""

    def __init__(self, python: Path) -> None:
        self.published: asyncio.Queue[Message] = asyncio.Queue()
        self._settings = {"python": {"pythonPath": str(python), "defaultInterpreterPath": str(python)}}
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._ids = count(1)
        self._process: Any = None
        self._reading: asyncio.Task[None] | None = None

    async def start(self, server: LanguageServer, folder: Path) -> None:
        """Starts the process."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *server.command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, cwd=folder
        )
        self._reading = asyncio.create_task(self._read())

    async def stop(self) -> None:
        """Ends the process, if it does not end when it is asked to."""
        with suppress(NoAnswer, asyncio.TimeoutError):
            await asyncio.wait_for(self.ask("shutdown", None), 5)
        self.tell("exit", None)
        try:
            await asyncio.wait_for(self._process.wait(), 5)
        except asyncio.TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def ask(self, method: str, parameters: object) -> Any:
        """The result of a request; raises NoAnswer."""
        key = next(self._ids)
        self._waiting[key] = asyncio.get_running_loop().create_future()
        self._send({"id": key, "method": method, "params": parameters})
        return await asyncio.wait_for(self._waiting[key], PATIENCE)

    def tell(self, method: str, parameters: object) -> None:
        """Sends a notification."""
        self._send({"method": method, "params": parameters})

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _read(self) -> None:
        output = self._process.stdout
        while line := await output.readline():
            size = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else 0
            while line.strip():
                line = await output.readline()
                if line.lower().startswith(b"content-length"):
                    size = int(line.split(b":")[1])
            self._receive(json.loads(await output.readexactly(size)))
        for one in self._waiting.values():
            if not one.done():
                one.set_exception(NoAnswer("the server ended"))

    def _receive(self, message: Message) -> None:
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            self.published.put_nowait(message["params"])
        elif method is not None and "id" in message:
            items = message.get("params", {}).get("items", []) if method == "workspace/configuration" else None
            result = None if items is None else [self._settings.get(one.get("section"), {}) for one in items]
            self._send({"id": message["id"], "result": result})
        elif method is None:
            waiting = self._waiting.pop(message["id"], None)
            if waiting is not None and "error" in message:
                waiting.set_exception(NoAnswer(message["error"].get("message", "")))
            elif waiting is not None:
                waiting.set_result(message.get("result"))


class Session:
    """One server with one open document, which is never written."""

    def __init__(self, file: Path, server: LanguageServer) -> None:
        self.file = file
        self._server = server
        self.text = file.read_text()
        self.diagnostics: list[Message] = []
        self._version = 0
        self._connection = Connection(server.python)
        self._document = {"uri": file.as_uri()}

    async def start(self) -> None:
        """Starts the server in the directory of the nearest pyproject.toml, and opens the document."""
        root = next((one for one in self.file.parents if (one / "pyproject.toml").is_file()), self.file.parent)
        await self._connection.start(self._server, root)
        folders = [{"uri": root.as_uri(), "name": root.name}]
        parameters = {"processId": None, "capabilities": _CAPABILITIES, "rootUri": root.as_uri()}
        await self._connection.ask("initialize", {**parameters, "workspaceFolders": folders})
        self._connection.tell("initialized", {})
        item = {**self._document, "languageId": "python", "version": 0, "text": self.text}
        self._connection.tell("textDocument/didOpen", {"textDocument": item})

    def edit(self, text: str) -> None:
        """Replaces the text."""
        self._version, self.text = self._version + 1, text
        while not self._connection.published.empty():
            self._connection.published.get_nowait()
        document = {**self._document, "version": self._version}
        self._connection.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    async def published(self, patience: float = PATIENCE) -> bool:
        """Returns when there are diagnostics about the present text; False if they do not come."""

        async def arrived() -> None:
            while True:
                one = await self._connection.published.get()
                if one["uri"] == self._document["uri"] and one.get("version") in (None, self._version):
                    self.diagnostics = one["diagnostics"]
                    return

        try:
            await asyncio.wait_for(arrived(), patience)
        except asyncio.TimeoutError:
            return False
        return True

    async def hints(self) -> list[Message]:
        """The inlay hints of the whole document; none if the server has no such request."""
        end = {"line": len(self.text.splitlines()), "character": 0}
        asked = {"textDocument": self._document, "range": {"start": {"line": 0, "character": 0}, "end": end}}
        with suppress(NoAnswer):
            return list(await self._connection.ask("textDocument/inlayHint", asked) or ())
        return []

    async def hover(self, line: int, character: int) -> str:
        """What is shown at a place, from 0."""
        asked = {"textDocument": self._document, "position": {"line": line, "character": character}}
        try:
            found = await self._connection.ask("textDocument/hover", asked)
        except NoAnswer:
            return ""
        return _text(found["contents"]) if found else ""

    async def stop(self) -> None:
        """Ends the server."""
        await self._connection.stop()


def _text(contents: object) -> str:
    if isinstance(contents, list):
        return "\n".join(map(_text, contents))
    return str(contents["value"]) if isinstance(contents, Mapping) else str(contents)
