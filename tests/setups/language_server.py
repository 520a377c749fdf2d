"""As much of an editor as a language server needs: it opens a file, asks about a place, and reads what is published."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any

TIMEOUT = 120.0


class Server:
    """A server process that talks over its standard input and output; `with` ends it, whatever happens."""

    def __init__(self, command: Sequence[str], folder: Path, settings: Mapping[str, object]) -> None:
        self.folder = folder
        self.settings = settings
        self.published: dict[str, list[dict[str, Any]]] = {}
        self._sent = 0
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._timer = Timer(TIMEOUT, self._process.kill)

    def __enter__(self) -> Server:
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._timer.cancel()
        self._process.kill()
        self._process.communicate()

    def start(self) -> dict[str, Any]:
        """What the server says it can do."""
        uri = self.folder.as_uri()
        asked = {
            "processId": None,
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": self.folder.name}],
            "capabilities": {
                "textDocument": {"hover": {"contentFormat": ["plaintext"]}},
                "workspace": {"configuration": True},
            },
        }
        able: dict[str, Any] = self.ask("initialize", asked)["capabilities"]
        self.tell("initialized", {})
        return able

    def open(self, path: Path) -> None:
        document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def hover(self, path: Path, line: int, column: int) -> str:
        """What the editor shows at a place; both numbers count from 1, as those of our reports do."""
        place = {"line": line - 1, "character": column - 1}
        told = self.ask("textDocument/hover", {"textDocument": {"uri": path.as_uri()}, "position": place})
        return str(told["contents"]["value"])

    def diagnostics(self, path: Path) -> list[dict[str, Any]]:
        """Waits until the server has published something for the file."""
        while path.as_uri() not in self.published:
            self._answer(self._read())
        return self.published[path.as_uri()]

    def ask(self, method: str, params: object) -> Any:
        self._sent += 1
        number = self._sent
        self._write({"id": number, "method": method, "params": params})
        while (message := self._read()).get("id") != number or "method" in message:
            self._answer(message)
        assert "error" not in message, message
        return message["result"]

    def tell(self, method: str, params: object) -> None:
        self._write({"method": method, "params": params})

    def _answer(self, message: dict[str, Any]) -> None:
        """Keeps what is published, and gives the settings that the server asks for."""
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message and "method" in message:
            wanted = message["params"]["items"] if message["method"] == "workspace/configuration" else None
            given = [self.settings.get(item["section"], {}) for item in wanted] if wanted else None
            self._write({"id": message["id"], "result": given})

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        body = self._process.stdout.read(length)
        assert body, "the server has ended, or did not answer in time"
        message: dict[str, Any] = json.loads(body)
        return message
