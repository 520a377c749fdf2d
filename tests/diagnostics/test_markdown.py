"""`--format markdown`, as a parser of CommonMark reads it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from shapecheck.diagnostics import Diagnostic, Note, Severity
from shapecheck.diagnostics.render.markdown import LIMIT, MARK, render
from shapecheck.project.source_lines import shown

FINDING = Diagnostic(
    "src/a.py", 3, 5, 3, 9, "shape-mismatch", Severity.ERROR, "cannot multiply (2, 3) @ (4, 5): 3 != 4"
)
LINES = {"src/a.py": {3: "    return x @ y", 4: "", 5: "\treturn z"}}
ODD = [
    "`x`", "``", "a `b`` c", "@user #1 <b>&amp;</b> [x](y) *a* _b_ ~c~", "| a | b |", "\\`", " x ", "-->", "x\r\ny",
    "</details>", "<!-- shapecheck -->", "https://example.com", "é 形 \U0001f600",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_WORKSPACE", "GITHUB_SERVER_URL", "CI_PROJECT_DIR", "CI_PROJECT_URL"):
        monkeypatch.delenv(name, raising=False)


def rendered(*found: Diagnostic, **extra: Any) -> str:
    stream = io.StringIO()
    render(found, stream, extra)
    return stream.getvalue()


def tokens(text: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark", {"linkify": False}).parse(text):
        yield token
        yield from token.children or ()


def of_type(text: str, kind: str) -> list[str]:
    return [token.content for token in tokens(text) if token.type == kind]


def test_a_finding_with_its_line() -> None:
    assert rendered(FINDING, lines=LINES) == (
        "<!-- shapecheck -->\n"
        "### shapecheck: 1 finding (1 error in 1 file)\n"
        "\n"
        "#### `src/a.py`\n"
        "\n"
        "**error** line 3 `shape-mismatch`: `cannot multiply (2, 3) @ (4, 5): 3 != 4`\n"
        "\n"
        "```\n"
        "3 | return x @ y\n"
        "  | ^^^^\n"
        "```\n"
    )


def test_the_findings_of_a_file_are_together() -> None:
    other = replace(FINDING, path="b.py", severity=Severity.WARNING)
    text = rendered(FINDING, other, replace(FINDING, line=9, end_line=9))
    assert of_type(text, "inline")[0] == "shapecheck: 3 findings (2 errors and 1 warning in 2 files)"
    headings = [one.map for one in tokens(text) if one.type == "heading_open" and one.tag == "h4"]
    assert len(headings) == 2
    assert text.index("line 9") < text.index("`b.py`")


@pytest.mark.parametrize(
    ("summary", "title"),
    [({}, "shapecheck: no findings"), ({"baseline": {"known": 0, "stale": 0}}, "shapecheck: no new findings")],
)
def test_without_findings_there_is_a_title(summary: dict[str, object], title: str) -> None:
    assert rendered(summary=summary) == f"{MARK}\n### {title}\n"


def test_what_is_not_new_is_counted() -> None:
    summary = {"baseline": {"known": 2, "stale": 0}, "cut short": [f"{name}.py" for name in "abcde"]}
    text = rendered(FINDING, summary=summary)
    assert "### shapecheck: 1 new finding (1 error in 1 file)\n" in text
    assert text.endswith(
        "\nSuppressed by the baseline: 2 findings.\n"
        "\nStopped early, after too many steps: `a.py`, `b.py`, `c.py` and 2 more.\n"
    )


def test_notes_are_collapsed() -> None:
    text = rendered(replace(FINDING, notes=(Note("src/b.py", 7, 1, "x has shape (2, 3) from here"),)))
    assert of_type(text, "html_block") == [f"{MARK}\n", "<details><summary>1 note</summary>\n", "</details>\n"]
    assert of_type(text, "code_inline")[-2:] == ["src/b.py:7", "x has shape (2, 3) from here"]


@pytest.mark.parametrize("odd", ODD)
def test_any_text_is_code(odd: str) -> None:
    """In the path, the message, a note, the case and the source."""
    found = replace(FINDING, path=odd, message=odd, case=odd, notes=(Note(odd, 1, 1, odd),))
    text = rendered(found, lines={odd: {3: odd}})
    said = odd.replace("\r\n", " ")
    spans = of_type(text, "code_inline")
    assert spans == [said, said, "shape-mismatch", said, f"{said}:1", said]
    plain = "".join(of_type(text, "text"))
    assert plain == "shapecheck: 1 finding (1 error in 1 file)error line 3 in  : : "
    assert of_type(text, "html_block") == [f"{MARK}\n", "<details><summary>1 note</summary>\n", "</details>\n"]
    assert not of_type(text, "html_inline")
    [fence] = of_type(text, "fence")
    assert fence.splitlines()[0].startswith(f"3 | {odd.lstrip().splitlines()[0]}")


def test_a_finding_of_several_lines_keeps_their_indentation() -> None:
    lines = {"src/a.py": {3: "    f(", 4: "        x,", 5: "        y,", 6: "        z,"}}
    text = rendered(replace(FINDING, end_line=8), lines=lines)
    assert of_type(text, "fence") == ["3 | f(\n4 |     x,\n5 |     y,\n6 |     z,\n  | ...\n"]


def test_the_mark_below_a_line_keeps_tabs() -> None:
    text = rendered(
        replace(FINDING, line=5, end_line=5, column=4, end_column=10), lines={"src/a.py": {5: "x\t+ call(1)"}}
    )
    assert of_type(text, "fence") == ["5 | x\t+ call(1)\n  |  \t ^^^^^^\n"]


def test_a_long_line_and_a_long_message_are_cut() -> None:
    text = rendered(
        replace(FINDING, message="m" * 5_000, end_column=4_000), lines={"src/a.py": {3: "    " + "x" * 5_000}}
    )
    assert max(map(len, text.splitlines())) < 1_100
    first, mark = of_type(text, "fence")[0].splitlines()
    assert first == f"3 | {'x' * 157}..."
    assert len(mark) == len(first)


def test_a_comment_is_not_longer_than_github_allows() -> None:
    found = [
        replace(FINDING, line=line, end_line=line, notes=(Note("b.py", 1, 1, "n" * 500),)) for line in range(1, 400)
    ]
    summary = {"baseline": {"known": 9, "stale": 0}, "cut short": ["x" * 900] * 9}
    text = rendered(*found, summary=summary)
    assert LIMIT - 2_000 < len(text) <= LIMIT
    count = text.count("**error**")
    assert f"**Not shown: {399 - count} more findings**, because a comment has at most 65,536 characters.\n" in text
    assert len(of_type(text, "html_block")) == 1 + 2 * count, "no block is cut in the middle"
    assert text == rendered(*found, summary=summary)


def test_a_place_is_a_link_in_a_job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    found = [FINDING, replace(FINDING, path="a b.ipynb:cell 2"), replace(FINDING, path="/elsewhere/a.py")]
    github = {"SERVER_URL": "https://github.com", "REPOSITORY": "o/r", "SHA": "abc", "WORKSPACE": str(tmp_path)}
    for name, value in github.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    links = [token.attrs["href"] for token in tokens(rendered(*found)) if token.type == "link_open"]
    assert links == [
        "https://github.com/o/r/blob/abc/src/a.py#L3",
        "https://github.com/o/r/blob/abc/a%20b.ipynb",
    ], "none to a file outside"
    for name in github:
        monkeypatch.delenv(f"GITHUB_{name}")
    gitlab = {
        "CI_PROJECT_URL": "https://gitlab.com/o/r",
        "CI_COMMIT_SHA": "abc",
        "CI_PROJECT_DIR": str(tmp_path.parent),
    }
    for name, value in gitlab.items():
        monkeypatch.setenv(name, value)
    assert f"(https://gitlab.com/o/r/-/blob/abc/{tmp_path.name}/src/a.py#L3)" in rendered(FINDING)


def test_the_lines_are_those_of_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_bytes("# -*- coding: latin-1 -*-\r\nx = 'é'\x0c\r\n".encode("latin-1"))
    found = [replace(FINDING, path="a.py", line=2, end_line=2), replace(FINDING, path="absent.py")]
    assert shown(found, "markdown") == (found, {"lines": {"a.py": {2: "x = 'é'\x0c"}}})
    assert shown(found, "json") == (found, {})
