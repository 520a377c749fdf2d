"""The built page of the playground, served on this machine, and what a test does with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

BUILT = Path(__file__).resolve().parents[2] / "editors/playground/dist"
HOW_TO_BUILD = "the playground is not built: `nox -s playground`, or `npm ci && npm run build` in editors/playground"
_TEXT = """[...document.querySelectorAll('.cm-line')].map(line => {
    const own = line.cloneNode(true);
    own.querySelectorAll('.shape').forEach(shape => shape.remove());
    return own.textContent;
}).join('\\n')"""
PATIENCE = 120_000
"""Milliseconds that a busy machine may take."""


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: Any) -> None:
        """Nothing is written."""


@contextmanager
def served(folder: Path = BUILT) -> Iterator[str]:
    """The address of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Playground:
    """The page in a browser. Requests to other hosts are refused and noted."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        self.elsewhere: list[str] = []
        self.errors: list[str] = []
        self.context: BrowserContext = browser.new_context(**options)
        self.context.route("**/*", self._only_here)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda one: self.errors.append(one.text) if one.type == "error" else None)

    def open(self, fragment: str = "") -> Playground:
        """Opens the page, and returns when it has answered."""
        self.page.goto(self.address + fragment)
        return self.answered()

    def answered(self) -> Playground:
        """Returns when the present text is checked."""
        self.page.wait_for_selector("body[data-state=answered]")
        return self

    def write(self, text: str) -> Playground:
        """Replaces the text, as a reader who pastes, and returns when it is checked."""
        self.paste(text)
        return self.answered()

    def paste(self, text: str) -> None:
        """Replaces the text."""
        self.page.locator(".cm-content").focus()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    @property
    def text(self) -> str:
        """The text in the editor, without shapes."""
        found: str = self.page.evaluate(_TEXT)
        return found

    @property
    def findings(self) -> list[tuple[str, str]]:
        """The place and the code of each finding in the list."""
        rows = self.page.locator("#findings > li").all()
        return [(one.locator(".at").first.inner_text(), one.locator(".code").inner_text()) for one in rows]

    @property
    def shapes(self) -> list[str]:
        """The shapes in the text."""
        return self.page.locator(".cm-content .shape").all_inner_texts()

    @property
    def status(self) -> str:
        """What screen readers announce."""
        return self.page.locator("[role=status][aria-live=polite]").inner_text()

    def close(self) -> None:
        self.context.close()

    def _only_here(self, route: Route) -> None:
        if urlsplit(route.request.url).netloc == urlsplit(self.address).netloc:
            route.continue_()
        else:
            self.elsewhere.append(route.request.url)
            route.abort()
