"""A baseline holds what is known by path, code and the text of the line, and survives what only moves code."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from shapecheck.diagnostics import CHECKS, CODES, Diagnostic, Severity
from shapecheck.project import baseline

CODES_RUN = frozenset(CHECKS)
SOURCE = "import torch\n\ny = f(x)\nz = g(x)\n"


def finding(line: int, code: str = "shape-mismatch", path: str = "src/net.py") -> Diagnostic:
    return Diagnostic(path, line, 5, line, 9, code, CODES[code].severity, "it does not fit")


@pytest.fixture(autouse=True)
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "src" / "net.py"
    path.parent.mkdir()
    path.write_text(SOURCE)
    return path


def write(*diagnostics: Diagnostic) -> Path:
    file = Path("known.json")
    baseline.write(diagnostics, file, {Path("src/net.py").absolute()}, CODES_RUN)
    return file


def compare(*diagnostics: Diagnostic, codes: frozenset[str] = CODES_RUN) -> baseline.BaselineComparison:
    return baseline.compare(diagnostics, Path("known.json"), {Path("src/net.py").absolute()}, codes)


def test_what_was_written_is_known_and_the_rest_is_new() -> None:
    write(finding(3))
    assert compare(finding(3)) == baseline.BaselineComparison([], 1, 0)
    assert compare(finding(3), finding(4)).new == [finding(4)]
    assert compare(finding(3, "dtype-mismatch")).new == [finding(3, "dtype-mismatch")]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda text: "# a line more\n\n" + text, 5),
        (lambda text: text.replace("y = f(x)", "    y  =  f(x)"), 3),
    ],
    ids=["moved", "indented"],
)
def test_a_line_that_moves_is_still_known(change: Callable[[str], str], line: int, net: Path) -> None:
    write(finding(3))
    net.write_text(change(SOURCE))
    assert compare(finding(line)) == baseline.BaselineComparison([], 1, 0)


def test_a_line_that_is_changed_is_new_and_its_entry_is_stale(net: Path) -> None:
    write(finding(3))
    net.write_text(SOURCE.replace("f(x)", "f(x, 1)"))
    assert compare(finding(3)) == baseline.BaselineComparison([finding(3)], 0, 1)


def test_equal_lines_are_counted_and_the_last_is_new(net: Path) -> None:
    net.write_text("y = f(x)\n" * 3)
    file = write(finding(1), finding(2))
    assert json.loads(file.read_text())["findings"] == [
        {"path": "src/net.py", "code": "shape-mismatch", "text": "y = f(x)", "count": 2}
    ]
    assert compare(finding(1), finding(2), finding(3)).new == [finding(3)]
    assert compare(finding(1)).stale == 1


def test_what_was_not_looked_at_is_neither_stale_nor_lost(net: Path) -> None:
    other = net.with_name("other.py")
    other.write_text(SOURCE)
    elsewhere = finding(3, path="src/other.py")
    baseline.write([elsewhere, finding(3)], Path("known.json"), {net, other}, CODES_RUN)
    assert compare().stale == 1
    assert compare(codes=frozenset({"dtype-mismatch"})).stale == 0
    write()
    assert compare(elsewhere).known == 1
    other.unlink()
    assert compare().stale == 1


@pytest.mark.parametrize("one", [finding(3, "syntax-error"), replace(finding(3), severity=Severity.NOTE)])
def test_troubles_and_notes_are_never_known(one: Diagnostic) -> None:
    write(one)
    assert compare(one).new == [one]


def test_the_paths_are_those_from_the_folder_of_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(finding(3))
    monkeypatch.chdir(tmp_path / "src")
    found = finding(3, path="net.py")
    assert baseline.compare([found], Path("../known.json"), set(), CODES_RUN).known == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such baseline; use --write-baseline to create it"),
        ("x = 1\n", "not a baseline of shapecheck"),
        ("[]", "not a baseline of shapecheck"),
        ('{"version": 2, "findings": []}', "version 1"),
        ('{"version": 1, "findings": [{"path": "a"}]}', "not a baseline"),
        ('{"version": 1, "findings": [{"path": "a", "code": "b", "text": "c", "count": 0}]}', "not a baseline"),
        (b"\xff\xfe", "not a baseline"),
    ],
)
def test_one_that_cannot_be_read_is_one_line(content: str | bytes | None, said: str) -> None:
    file = Path("known.json")
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(baseline.BaselineError) as caught:
        compare()
    assert said in str(caught.value)
    assert str(caught.value).startswith("known.json: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_baseline_is_not_written_over(net: Path) -> None:
    with pytest.raises(baseline.BaselineError):
        baseline.write([], net, {net}, CODES_RUN)
    assert net.read_text() == SOURCE


def test_a_folder_that_is_missing_is_one_line() -> None:
    with pytest.raises(baseline.BaselineError, match="cannot write"):
        baseline.write([], Path("missing/known.json"), set(), CODES_RUN)
