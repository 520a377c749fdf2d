"""Makes the pictures of docs/images/: `python -m docs.screenshots`.

Each shows what a command prints on this machine: the HTML reports of `shapecheck run` on the examples, the example at
the head of README.md on a terminal, and Neovim with `shapecheck lsp`. A PNG records the command, the device and the
findings that it shows.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from docs import neovim
from docs.png import with_texts
from docs.terminal import picture
from tests.harness.show.browser import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, ViewportSize

_ROOT = Path(__file__).resolve().parents[1]
_IMAGES = _ROOT / "docs/images"
_REPORT = "report.html"
_MARGIN = 9
"""CSS pixels around what a picture shows."""


@dataclass(frozen=True)
class Screenshot:
    """A picture of the report of a run. arguments: what follows `shapecheck run`; case: the one that is open."""

    name: str
    arguments: tuple[str, ...]
    case: str
    part: Literal["page", "modules"]
    colors: Literal["light", "dark"]
    width: int

    @property
    def command(self) -> str:
        """The command that writes the report."""
        return " ".join(["shapecheck", "run", *self.arguments, "-o", _REPORT])


REPORT = Screenshot("report.png", ("examples/broken",), "broken.gpt:GPT", "page", "light", 1040)
MODULES = Screenshot("modules.png", ("examples/gpt.py", "--timed"), "gpt:GPT", "modules", "dark", 1180)


def main() -> None:
    """Write the pictures."""
    with started() as browser:
        for screenshot in (REPORT, MODULES):
            (_IMAGES / screenshot.name).write_bytes(taken(screenshot, browser))
    _take_terminal()
    neovim.main()


def taken(screenshot: Screenshot, browser: Browser) -> bytes:
    """The report that the command writes. Texts: Source, the command; Comment, the device; Description, findings."""
    with tempfile.TemporaryDirectory() as directory:
        size: ViewportSize = {"width": screenshot.width, "height": 1000}
        shown = browser.new_page(viewport=size, color_scheme=screenshot.colors, device_scale_factor=2)
        shown.goto(_report(screenshot, Path(directory)).as_uri())
        case = _open(shown, screenshot.case)
        image = _top(shown, case) if screenshot.part == "page" else _modules(shown, case)
        texts = {
            "Source": screenshot.command,
            "Comment": shown.locator(".environment summary .hint").inner_text(),
            "Description": "\n".join(case.locator(".findings .message").all_inner_texts()),
        }
        shown.close()
    return with_texts(image, texts)


def _report(screenshot: Screenshot, directory: Path) -> Path:
    """The report that the command writes next to a copy of the examples, so that all paths in it are relative."""
    shutil.copytree(_ROOT / "examples", directory / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", *screenshot.command.split()]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise RuntimeError(f"{screenshot.command}: {done.stderr.strip()}")
    return directory / _REPORT


def _open(shown: Page, name: str) -> Locator:
    """The case, as the only one that is open; if it failed, cases that passed are hidden."""
    case = shown.locator(f'details.case[data-name="{name}"]')
    shown.evaluate("for (const one of document.querySelectorAll('details.case')) one.open = false")
    if case.get_attribute("data-outcome") == "failed":
        passed = shown.locator(".pill.passed")
        if passed.count():
            passed.click()
    case.locator("> summary").click()
    shown.mouse.move(0, 0)
    return case


def _top(shown: Page, case: Locator) -> bytes:
    """The page from its head to the second case after the open one."""
    after = case.locator("xpath=following-sibling::details").locator("visible=true")
    last = after.nth(min(after.count(), 2) - 1) if after.count() else case
    box = last.bounding_box()
    assert box
    width, height = shown.evaluate("innerWidth"), box["y"] + box["height"] + _MARGIN
    return shown.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height})


def _modules(shown: Page, case: Locator) -> bytes:
    section = case.locator("section.modules")
    section.scroll_into_view_if_needed()
    for row in (1, 2):  # the list of blocks, and the first of them
        section.locator(".tree summary").nth(row).click()
    section.locator(".flame button", has_text="0 Block").dispatch_event("mouseover")
    shown.mouse.move(0, 0)
    shown.evaluate("document.querySelector('.toolbar').remove()")
    shown.evaluate("scrollTo(0, 0)")
    box = section.bounding_box()
    assert box
    top, height = box["y"] - _MARGIN, box["height"] + 2 * _MARGIN
    sides = {"x": box["x"] - _MARGIN, "width": box["width"] + 2 * _MARGIN}
    return shown.screenshot(full_page=True, clip={"y": top, "height": height, **sides})


def _take_terminal() -> None:
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n# (\S+\.py)\n(.*?)```", readme, re.DOTALL)
    assert example, "README.md begins with an example"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, example[1]).write_text(f"# {example[1]}\n{example[2]}", encoding="utf-8")
        commands = [f"shapecheck check {example[1]}", f"shapecheck run {example[1]}"]
        (_IMAGES / "terminal.svg").write_text(picture(commands, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
