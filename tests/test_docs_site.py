"""The generated parts of the documentation match the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.site.committed import DOCS, files
from docs.site.marked import table, with_parts
from docs.site.picture import picture
from shapecheck.diagnostics import CODES


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_generated_parts_are_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == files()[path], "run `python -m docs.site`"


def test_the_table_of_codes_has_each_code_once() -> None:
    page = (DOCS / "codes.md").read_text(encoding="utf-8")
    assert [page.count(f"| [`{name}`](codes/{name}.md) |") for name in CODES] == [1] * len(CODES)


def test_only_marked_parts_are_regenerated() -> None:
    page = "before\n<!-- made: x -->\nold\n<!-- /made -->\nafter"
    assert with_parts(page, {"x": lambda: "new\n"}) == "before\n<!-- made: x -->\n\nnew\n\n<!-- /made -->\nafter"
    with pytest.raises(KeyError):
        with_parts(page, {})


def test_a_table_escapes_pipes() -> None:
    assert table(("a", "b"), [("1 | 2", "3")]) == "| a | b |\n|---|---|\n| 1 \\| 2 | 3 |\n"


def test_the_picture_has_a_box_for_each_room_and_a_line_for_each_step_of_an_import() -> None:
    drawn = picture([["a"], ["b"], ["c"]], [("a", "b"), ("b", "c")])
    assert [drawn.count("<rect"), drawn.count("<path")] == [3, 2]
    shared = picture([["a"], ["b"], ["c"]], [("a", "b"), ("b", "c"), ("a", "c")])
    assert shared.count("<path") == 4, "a line past `b` has two parts"
