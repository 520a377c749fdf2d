"""`lazy_pattern` behaves like `re.compile`, and compiles at the first use."""

import re

import pytest

from shapecheck.lazy_pattern import lazy_pattern


@pytest.mark.parametrize(
    ("pattern", "flags", "text"),
    [(r"(\d+)x", 0, "3x4X"), (r"(\d+)x", re.IGNORECASE, "3x4X"), (rb"^b", re.MULTILINE, b"a\nb")],
)
def test_results_are_those_of_a_compiled_pattern(pattern: str, flags: int, text: str) -> None:
    lazy, compiled = lazy_pattern(pattern, flags), re.compile(pattern, flags)
    assert lazy.findall(text) == compiled.findall(text)
    assert [one.span() for one in lazy.finditer(text)] == [one.span() for one in compiled.finditer(text)]
    assert (lazy.pattern, lazy.flags) == (compiled.pattern, compiled.flags)


def test_a_pattern_is_compiled_once_and_at_the_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    compiled = re.compile("a")
    monkeypatch.setattr(re, "compile", lambda pattern, _flags: made.append(pattern) or compiled)
    lazy = lazy_pattern("a")
    assert not made
    assert lazy.match("ab") and lazy.fullmatch("a") and lazy.match("ab")
    assert made == ["a"]


def test_an_attribute_that_patterns_lack_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'mach'"):
        lazy_pattern("a").mach  # type: ignore[attr-defined]  # noqa: B018
