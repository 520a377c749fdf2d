"""The start of the language server, with all features."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from shapecheck.lsp import features
from shapecheck.lsp.server import Server


def make_server() -> Server:
    """A server with all features."""
    server = Server()
    for one in pkgutil.iter_modules(features.__path__):
        import_module(f"{features.__name__}.{one.name}").register(server)
    return server


def main(port: int | None = None) -> None:
    """Serves on standard input and output, or on a port of this machine."""
    server = make_server()
    if port is None:
        server.start_io()
    else:
        server.start_tcp("127.0.0.1", port)
