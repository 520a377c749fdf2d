"""Notebooks as Python, and the way back: changed source in the cells, every other byte as it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapecheck.project.notebook import NotebookError, as_python, read
from shapecheck.project.notebook_edits import changed_cells, marked, with_text

CELLS = {
    "a magic": ("%matplotlib inline\nx = 1", "pass\nx = 1"),
    "a command": ("!pip install a\nx = 1", "pass\nx = 1"),
    "a command of two lines": ("!pip install \\\n  a\nx = 1", "pass\n\nx = 1"),
    "an indented command": ("if x:\n    !ls", "if x:\n    pass"),
    "the result of a command": ("files = !ls\nx = 1", "files = ...\nx = 1"),
    "help": ("torch.zeros?\nx = 1", "pass\nx = 1"),
    "a cell of another language": ("%%bash\nls", "\n"),
    "a cell that is timed": ("%%time\nx = 1", "pass\nx = 1"),
    "a remainder on a line of its own": ("x = (a\n% b)", "x = (a\n% b)"),
    "a format on a line of its own": ("x = '''\n%d\n''' % 1", "x = '''\n%d\n''' % 1"),
}


@pytest.mark.parametrize(("source", "expected"), CELLS.values(), ids=CELLS)
def test_python(source: str, expected: str) -> None:
    assert as_python(source) == expected


def made(*sources: str | list[str], indent: int | None = 1, ascii_only: bool = False) -> bytes:
    cells = [{"cell_type": "code", "outputs": [{"é": "cells"}], "source": one} for one in sources]
    return json.dumps({"cells": cells, "nbformat": 4}, indent=indent, ensure_ascii=ascii_only).encode()


EDITS = {
    "a line": ("x = 1", "x = 3", [["x = 3"], ["y = 2"]]),
    "at the end of a cell": ("x = 1\n", "x = 1\nz = 0\n", [["x = 1\n", "z = 0"], ["y = 2"]]),
    "at the bottom": ("y = 2\n", "y = 2\nz = 0\n", [["x = 1"], ["y = 2\n", "z = 0"]]),
    "above the first mark": (
        "# <shapecheck cell 1>",
        "z = 0\n# <shapecheck cell 1>",
        [["z = 0\n", "x = 1"], ["y = 2"]],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("indent", [None, 1, 4])
def test_an_edit_is_in_its_cell(old: str, new: str, expected: list[list[str]], indent: int | None) -> None:
    raw = made(["x = 1"], ["y = 2"], indent=indent)
    assert read(raw)[0] == "x = 1\ny = 2\n"
    assert json.loads(changed(raw, old, new))["cells"] == json.loads(made(*expected))["cells"]


def changed(raw: bytes, old: str, new: str) -> bytes:
    """The notebook with a change of its marked text."""
    text = marked(raw)[0]
    assert text.count(old) == 1
    return with_text(raw, text.replace(old, new))


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_lines_are_laid_out_as_they_were(indent: int | None) -> None:
    before, after = (made(["a = 0\n", line, "c = 'é'"], indent=indent) for line in ("b = 1\n", "b = 'ü'\n"))
    assert changed(before, "b = 1", "b = 'ü'") == after


def test_magics_stay() -> None:
    raw = made("%time\nx = 1\n    !ls")
    (cell,) = changed_cells(raw, marked(raw)[0].replace("x = 1", "x = 2\npass"))
    assert cell.new == "%time\nx = 2\npass\n    !ls"


def test_a_byte_order_mark_stays() -> None:
    assert changed(b"\xef\xbb\xbf" + made("x = 1"), "x = 1", "x = 2") == b"\xef\xbb\xbf" + made("x = 2")


REFUSED = {
    "a magic": (["%time\nx = 1"], "pass  # <shapecheck line 0>", "z = 0", "only IPython understands"),
    "another language": (["%%bash\nls"], "# <shapecheck line 1>", "# <shapecheck line 1>\nz = 0", "another language"),
    "two cells": (["x = 1", "y = 2"], "# <shapecheck cell 2>", "z = 0", "spans two cells"),
}


@pytest.mark.parametrize(("sources", "old", "new", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_written_is_refused(sources: list[str], old: str, new: str, message: str) -> None:
    with pytest.raises(NotebookError, match=message):
        changed(made(*sources), old, new)


LINES = st.sampled_from(["x = 1", "", "é = '\\u00e9'", "%time", "if x:", "    y", '"\\n"', "# \u2028"])
SOURCES = st.lists(LINES, max_size=4).map("\n".join)


@given(
    sources=st.lists(st.one_of(SOURCES, SOURCES.map(lambda one: one.splitlines(keepends=True))), max_size=4),
    indent=st.sampled_from([None, 0, 1]),
    ascii_only=st.booleans(),
    data=st.data(),
)
def test_only_the_changed_cell_differs(
    sources: list[str | list[str]], indent: int | None, ascii_only: bool, data: st.DataObject
) -> None:
    raw = made(*sources, indent=indent, ascii_only=ascii_only)
    text, cells = marked(raw)
    assert with_text(raw, text) == raw
    if not cells:
        return
    cell = data.draw(st.sampled_from(cells))
    lines = text.split("\n")
    lines.insert(cell.first - 1 + cell.count, "unlike = 'the other lines'")
    after = json.loads(with_text(raw, "\n".join(lines)))
    before = json.loads(raw)
    for number, (old, new) in enumerate(zip(before["cells"], after["cells"], strict=True), 1):
        added = "\nunlike = 'the other lines'" if number == cell.number else ""
        assert "".join(new["source"]) == "".join(old["source"]) + added
        assert {**new, "source": ""} == {**old, "source": ""}
