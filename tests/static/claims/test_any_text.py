"""Reading never raises, and takes time linear in the length of the text."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.static.claims.entries import entries_of
from shapecheck.static.claims.phrases import shape_of_comment, shapes_in
from tests.static.claims.functions import claims_in

PIECES = st.sampled_from(
    """( ) [ ] { } , ; : ` `` $ \\ ... * x \u00d7 -> => or and / shape of Tensor tensor B T C batch dim -dim 3 1 x:
    :param Args: Returns: Shape: ---- # = + - 'a "b \t \u00e9 2*d (B,T) [B,T,D] x" N,C list""".split(" ")
)
CHARACTERS = st.characters(blacklist_categories=("Cs",), blacklist_characters="\0")
TEXT = st.lists(PIECES, max_size=30).map(" ".join) | st.text(CHARACTERS, max_size=80)
LONG = ["(", "[", "(B, ", "B x ", "x ", " ", "shape ", "shape (", "a, ", "B", "-> ", "# ", "(a) or ", "*", "`", "\\"]


@given(TEXT)
def test_any_text(text: str) -> None:
    for read in (shapes_in, shape_of_comment):
        found = read(text)
        if found is not None:
            assert 0 <= found.start < found.end <= len(text)
            assert found.shapes


@given(st.lists(TEXT, max_size=8))
def test_any_docstring(lines: list[str]) -> None:
    for one in entries_of(lines, ["x", "y"]):
        assert one.lines
        assert set(one.names) <= {"x", "y"}


@given(TEXT, TEXT)
@settings(max_examples=60)
def test_any_function(docstring: str, comment: str) -> None:
    flat = " ".join(comment.split())
    claims_in(f"def f(x, y):  # {flat}\n    {docstring!r}\n    z = x  # {flat}\n    # {flat}\n")


@pytest.mark.parametrize("piece", LONG)
def test_long_text_takes_linear_time(piece: str) -> None:
    def seconds(count: int) -> float:
        lines = ["x: " + piece * count] * 3
        began = process_time()
        claims_in(f"def f(x, y):\n    x = y  # {piece.rstrip() * count}\n    # x: {piece * count}\n")
        for one in entries_of(lines, ["x"]):
            shapes_in("\n".join(one.lines))
        return process_time() - began

    assert seconds(20_000) < 1
