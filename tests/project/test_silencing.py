"""Which comments are reported because they silence nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import CHECKS, Diagnostic
from shapecheck.project.silencing import unused_ignores

ALL = frozenset(CHECKS)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def unused(text: str, *used: str, active: frozenset[str] = ALL) -> list[Diagnostic]:
    """What is reported of a text; `used` are the codes that are silenced on its first line."""
    path = Path("net.py").absolute()
    path.write_text(text)
    return unused_ignores([path], {("net.py", 1): set(used)}, lambda _: active)


@pytest.mark.parametrize(
    ("text", "used", "said"),
    [
        ("x  # shapecheck: ignore[wrong-call]", [], "no wrong-call to suppress here"),
        ("x  # shapecheck: ignore[wrong-call, shape-mismatch]", ["shape-mismatch"], "no wrong-call to suppress here"),
        ("x  # shapecheck: ignore", [], "no finding to suppress here"),
        ("x  # shapecheck: ignore[]", [], "expected a code in"),
        ("x  # shapecheck: ignore[wrong-cal]", [], 'unknown code "wrong-cal"; did you mean "wrong-call"?'),
        ("x  # shapecheck: ignore[syntax-error]", [], "a comment cannot suppress syntax-error"),
        ("x = '# shapecheck: ignore'  # shapecheck: ignore[wrong-call]", [], "no wrong-call to suppress here"),
    ],
)
def test_a_comment_that_silences_nothing_is_reported(text: str, used: list[str], said: str) -> None:
    (one,) = unused(text + "\n", *used)
    assert said in one.message
    start = text.rindex("#")
    assert (one.line, one.column, one.end_column) == (1, start + 1, len(text) + 1)


@pytest.mark.parametrize(
    ("text", "used", "active"),
    [
        ("x  # shapecheck: ignore[wrong-call]", ["wrong-call"], ALL),
        ("x  # shapecheck: ignore", ["wrong-call"], ALL),
        ("x  # shapecheck: ignore[wrong-call]", [], ALL - {"wrong-call"}),
        ("x  # shapecheck: ignore[wrong-call]", [], ALL - {"unused-ignore"}),
        ("x  # shapecheck: ignore", [], ALL - {"wrong-call"}),
        ("x  # shapecheck: ignore[untyped-call, direct-forward]", [], ALL),
        ("class Net(Base): ...  # shapecheck: ignore", [], ALL),
        ("y = net.forward(x)  # shapecheck: ignore", [], ALL),
        ("x  # shapecheck: ignore[wrong-call, unused-ignore]", [], ALL),
        ("text = '# shapecheck: ignore[wrong-call]'", [], ALL),
        ("'''\n# shapecheck: ignore[wrong-call]\n'''", [], ALL),
        ("x  # type: ignore[wrong-call]", [], ALL),
        ("x = (  # shapecheck: ignore[wrong-call]", [], ALL - {"wrong-call"}),
    ],
)
def test_others_are_not(text: str, used: list[str], active: frozenset[str]) -> None:
    assert unused(text + "\n", *used, active=active) == []


def test_columns_count_code_points_and_lines_any_end() -> None:
    (one,) = unused("y = 1\r\nname = 'é'  # shapecheck: ignore[wrong-call]\r\n")
    assert (one.line, one.column) == (2, 13)
