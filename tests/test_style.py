"""The words of the package and of its documentation, held against docs/style-guide.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs/style-guide.md"
_ROWS = re.compile(r"^\| (.+?) \| (.+?) \|$", re.MULTILINE)


def _section(heading: str) -> list[tuple[str, str]]:
    """The rows of the table under a heading, without its own heading row."""
    text = GUIDE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return _ROWS.findall(text)[1:]


def _pattern(phrases: str) -> str:
    return "|".join(re.escape(phrase).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for phrase in phrases.split(", "))


AVOIDED = [(phrases, instead) for phrases, instead in _section("Words to avoid")]
WORDS = re.compile(rf"(?<![\w-])(?:{'|'.join(_pattern(phrases) for phrases, _ in AVOIDED)})(?![\w-])", re.IGNORECASE)

SOURCES = sorted((ROOT / "shapecheck").rglob("*.py"))
PAGES = sorted(
    {
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "docs").rglob("*.y*ml"),
        *ROOT.glob("*.md"),
        *(one for one in (ROOT / "editors").rglob("*.md") if "node_modules" not in one.parts),
        *(ROOT / "examples").rglob("*.py"),
    }
    - {GUIDE, ROOT / "CHANGELOG.md"}
)


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _strings(file: Path) -> Iterator[tuple[int, str]]:
    """The string constants of a source, docstrings and the literal parts of f-strings included, with their lines."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _found(text: str, first_line: int) -> Iterator[str]:
    for match in WORDS.finditer(text):
        yield f"{first_line + text.count(chr(10), 0, match.start())}: {match[0]!r}"


@pytest.mark.parametrize("package", sorted({file.relative_to(ROOT).parts[1] for file in SOURCES}))
def test_strings_avoid_the_words(package: str) -> None:
    """Messages, help and docstrings."""
    files = [file for file in SOURCES if file.relative_to(ROOT).parts[1] == package]
    found = [f"{_name(file)}:{one}" for file in files for line, text in _strings(file) for one in _found(text, line)]
    assert not found, f"docs/style-guide.md says what to write instead ({len(found)} places):\n" + "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_pages_avoid_the_words(page: Path) -> None:
    found = list(_found(page.read_text(encoding="utf-8"), 1))
    assert not found, f"docs/style-guide.md says what to write instead ({len(found)} places):\n" + "\n".join(found)


@pytest.mark.parametrize("sentence", ["Rank 2 is due.", "a size that hangs\non another", "It MENDED it", "nobody"])
def test_the_words_are_found(sentence: str) -> None:
    assert WORDS.search(sentence)


@pytest.mark.parametrize("sentence", ["the standard library", "understands", "a stand-in", "mental", "there is no"])
def test_other_words_are_not(sentence: str) -> None:
    assert not WORDS.search(sentence)


def test_the_guide_has_twenty_pairs_of_messages() -> None:
    pairs = _section("Before and after")
    assert len(pairs) >= 20
    assert all(before != after and not WORDS.search(after) for before, after in pairs)


def test_the_guide_itself_avoids_the_words() -> None:
    text = GUIDE.read_text(encoding="utf-8").partition("\n## Words to avoid\n")[0]
    assert not list(_found(text, 1))
