"""Of several findings with one cause the first is reported, whatever order they come in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapecheck.diagnostics import CODES, Diagnostic
from shapecheck.project.same_cause import one_per_cause, silence_causes


def finding(line: int, *causes: str, path: str = "net.py", code: str = "shape-mismatch", column: int = 5) -> Diagnostic:
    severity = CODES[code].severity
    return Diagnostic(path, line, column, line, column + 4, code, severity, "message", causes=causes)


def notes(found: list[Diagnostic]) -> list[tuple[int, str]]:
    """The line of each finding, and its note on the others."""
    return [(one.line, "; ".join(f"{note.line}:{note.column} {note.message}" for note in one.notes)) for one in found]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([finding(3), finding(4)], [(3, ""), (4, "")]),
        ([finding(3, "x"), finding(4, "y")], [(3, ""), (4, "")]),
        ([finding(3, "x"), finding(4, "x")], [(3, "4:5 the same cause also affects line 4")]),
        ([finding(4, "x"), finding(3, "x")], [(3, "4:5 the same cause also affects line 4")]),
        ([finding(1, "x"), finding(2, "x"), finding(3, "x")], [(1, "2:5 the same cause also affects lines 2 and 3")]),
        ([finding(3, "~x input"), finding(4, "x input|size 2->3")], [(4, "")]),
        ([finding(3, "~x input"), finding(4, "y input|size 2->3")], [(3, ""), (4, "")]),
        ([finding(3, "~x input"), finding(4, "~x input")], [(3, ""), (4, "")]),
        (
            [finding(line, "x") for line in range(1, 7)],
            [(1, "2:5 the same cause also affects lines 2, 3, 4, 5 and 6")],
        ),
        (
            [finding(line, "x") for line in range(1, 20)],
            [(1, "2:5 the same cause also affects lines 2, 3, 4, 5 and 14 more")],
        ),
        ([finding(3, "x"), finding(3, "x", column=9)], [(3, "3:9 the same cause also affects column 9 of this line")]),
        (
            [finding(3, "x"), finding(3, "x", column=9), finding(5, "x")],
            [(3, "5:5 the same cause also affects line 5")],
        ),
        # all of them share one cause: one that shares a cause with each of two does not connect these
        (
            [finding(1, "x"), finding(2, "y"), finding(3, "x", "y")],
            [(1, "3:5 the same cause also affects line 3"), (2, "")],
        ),
        (
            [finding(1, "x"), finding(2, "y"), finding(3, "x", "y"), finding(4, "y")],
            [(1, ""), (2, "3:5 the same cause also affects lines 3 and 4")],
        ),
        # other files and other codes are reported apart
        ([finding(3, "x"), finding(4, "x", path="other.py")], [(3, ""), (4, "")]),
        ([finding(3, "x"), finding(4, "x", code="dtype-mismatch")], [(3, ""), (4, "")]),
        # the value at line 3 passed through line 5, as in a loop
        ([finding(3, "x", "<net.py:5:5"), finding(5, "x")], [(5, "3:5 the same cause also affects line 3")]),
        (
            [finding(3, "x", "<net.py:5:5"), finding(5, "x", "<net.py:3:5")],
            [(3, "5:5 the same cause also affects line 5")],
        ),
        ([finding(3, "<net.py:5:5"), finding(5, "<net.py:5:5")], [(3, ""), (5, "")]),
        # a cause that may be one only counts if another finding has it for certain
        ([finding(3, "?x"), finding(4, "?x")], [(3, ""), (4, "")]),
        ([finding(3, "?x"), finding(4, "x")], [(3, "4:5 the same cause also affects line 4")]),
        (
            [finding(3, "?x"), finding(4, "?x"), finding(5, "x")],
            [(3, "4:5 the same cause also affects lines 4 and 5")],
        ),
    ],
)
def test_findings_with_one_cause_are_one(found: list[Diagnostic], expected: list[tuple[int, str]]) -> None:
    assert notes(one_per_cause(found)) == expected
    assert [one.causes for one in one_per_cause(found)] == [()] * len(expected)


COMMENT = "x  # shapecheck: ignore[shape-mismatch]\n"


@pytest.mark.parametrize(
    ("commented", "expected", "count"),
    [
        ((), [(1, "2:5 the same cause also affects lines 2 and 3")], 0),
        ((1,), [], 3),
        ((1, 2), [], 3),
        ((2,), [(1, "3:5 the same cause also affects line 3")], 1),
        ((2, 3), [(1, "")], 2),
    ],
)
def test_a_comment_on_the_first_finding_covers_the_cause(
    commented: tuple[int, ...],
    expected: list[tuple[int, str]],
    count: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text("".join(COMMENT if line in commented else "x\n" for line in (1, 2, 3)))
    result = silence_causes([finding(line, "x") for line in (1, 2, 3)])
    assert notes(result.reported) == expected
    assert result.count == count
    # so that none of the comments is reported as unused
    assert result.used == {("net.py", line): {"shape-mismatch"} for line in commented}


_ANY = st.builds(
    lambda line, column, path, code, causes: finding(line, *causes, path=path, code=code, column=column),
    st.integers(1, 6),
    st.integers(1, 3),
    st.sampled_from(["a.py", "b.py"]),
    st.sampled_from(["shape-mismatch", "dtype-mismatch"]),
    st.lists(st.sampled_from(["x", "y", "z", "?x", "?y"]), max_size=3, unique=True).map(tuple),
)
_LISTS = st.lists(_ANY, max_size=12, unique_by=lambda one: (one.path, one.code, one.line, one.column)).map(sorted)


@given(_LISTS)
def test_no_file_and_no_code_loses_its_last_finding(found: list[Diagnostic]) -> None:
    reported = one_per_cause(found)
    assert {(one.path, one.code) for one in reported} == {(one.path, one.code) for one in found}


@given(_LISTS)
def test_each_finding_is_reported_or_shares_its_cause_with_a_reported_one(found: list[Diagnostic]) -> None:
    places = {(one.path, one.code, one.line, one.column) for one in one_per_cause(found)}
    reported = [one for one in found if (one.path, one.code, one.line, one.column) in places]
    for one in found:
        if (one.path, one.code, one.line, one.column) not in places:
            shared = {cause.removeprefix("?") for cause in one.causes}
            assert any(
                shared & {cause.removeprefix("?") for cause in other.causes}
                for other in reported
                if (other.path, other.code) == (one.path, one.code)
            )


@given(_LISTS)
def test_findings_without_causes_are_unchanged(found: list[Diagnostic]) -> None:
    bare = [replace(one, causes=()) for one in found]
    assert one_per_cause(bare) == bare


@given(_LISTS, st.randoms())
def test_the_order_does_not_matter(found: list[Diagnostic], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sorted(one_per_cause(shuffled)) == sorted(one_per_cause(found))


@given(_LISTS)
def test_reporting_again_changes_nothing(found: list[Diagnostic]) -> None:
    reported = one_per_cause(found)
    assert one_per_cause(reported) == reported
