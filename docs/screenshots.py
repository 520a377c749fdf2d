"""Makes the pictures of docs/images/: `python -m docs.screenshots`.

The report is the one that the tests show; the terminal runs the example at the head of README.md.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from docs.terminal import picture
from shapecheck.harness.show import renderer
from tests.harness.show import samples
from tests.harness.show.browser import started

if TYPE_CHECKING:
    from playwright.sync_api import Page

_ROOT = Path(__file__).resolve().parents[1]
_IMAGES = _ROOT / "docs/images"


def main() -> None:
    """Write the pictures."""
    os.chdir(_ROOT)  # where the sources of the sample reports are
    with tempfile.TemporaryDirectory() as folder, started() as browser:
        page = Path(folder) / "report.html"
        with page.open("w", encoding="utf-8") as stream:
            renderer("html")(samples.report(), stream)
        _take_report(browser.new_page(viewport={"width": 1180, "height": 1130}, color_scheme="light"), page)
        _take_modules(browser.new_page(viewport={"width": 1180, "height": 1400}, color_scheme="dark"), page)

    _take_terminal()


def _take_terminal() -> None:
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n# (\S+\.py)\n(.*?)```", readme, re.DOTALL)
    assert example, "README.md begins with an example"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, example[1]).write_text(f"# {example[1]}\n{example[2]}", encoding="utf-8")
        commands = [f"shapecheck check {example[1]}", f"shapecheck run {example[1]}"]
        (_IMAGES / "terminal.svg").write_text(picture(commands, Path(folder)), encoding="utf-8")


def _take_report(shown: Page, page: Path) -> None:
    shown.goto(page.as_uri())
    shown.screenshot(path=_IMAGES / "report.png")


def _take_modules(shown: Page, page: Path) -> None:
    shown.goto(f"{page.as_uri()}#case-1")
    shown.locator("#case-1 section.modules").scroll_into_view_if_needed()
    for row in (1, 2):  # the list of blocks, the first of them
        shown.locator("#case-1 .tree summary").nth(row).click()
    shown.locator("#case-1 .flame button", has_text="2 Block").hover()
    shown.evaluate("document.querySelector('.toolbar').remove()")
    shown.locator("#case-1 section.modules").screenshot(path=_IMAGES / "modules.png")


if __name__ == "__main__":
    main()
