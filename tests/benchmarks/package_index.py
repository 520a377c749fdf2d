"""A package index on this machine, and the files that it serves."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

JSON = "application/vnd.pypi.simple.v1+json"


@dataclass(slots=True)
class Index:
    """Pages by path, each with its media type; what was asked, and with which authorization."""

    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    status: int = 200
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/simple"

    def add(self, project: str, files: Mapping[str, bytes], *, html: bool = False) -> None:
        """A page of the project, whose links are relative, and its files."""
        if html:
            links = "".join(
                f'<a href="../../files/{name}#sha256={sha256(content)}">{name}</a>' for name, content in files.items()
            )
            self.pages[f"/simple/{project}/"] = ("text/html", links.encode())
        else:
            listed = [
                {"filename": name, "url": f"../../files/{name}", "hashes": {"sha256": sha256(content)}}
                for name, content in files.items()
            ]
            self.pages[f"/simple/{project}/"] = (JSON, json.dumps({"files": listed}).encode())
        self.pages |= {f"/files/{name}": ("application/octet-stream", content) for name, content in files.items()}

    def list_projects(self, names: Iterable[str], *, html: bool = False) -> None:
        """The page of all projects."""
        if html:
            self.pages["/simple/"] = ("text/html", "".join(f'<a href="{one}/">{one}</a>' for one in names).encode())
        else:
            self.pages["/simple/"] = (JSON, json.dumps({"projects": [{"name": one} for one in names]}).encode())


@contextmanager
def served() -> Iterator[Index]:
    index = Index()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            index.asked.append((self.path, self.headers["Authorization"]))
            kind, body = index.pages.get(self.path, ("text/plain", b""))
            self.send_response(index.status if self.path in index.pages else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Nothing is logged."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        index.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield index
        finally:
            server.shutdown()
            thread.join()


def sdist(files: Mapping[str, str], links: Mapping[str, str] | None = None) -> bytes:
    """A .tar.gz file with `files`, by path, and symbolic `links` to their targets."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
        for name, target in (links or {}).items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            tar.addfile(member)
    return buffer.getvalue()


def wheel(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
