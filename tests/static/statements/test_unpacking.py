"""Unpacking: a wrong number of names is reported where values, and not an annotation alone, give the number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "items of a display": "for a, b, c in [(1, 2), (3, 4)]:  # HERE\n    pass\n",
    "a shape": "def f():\n    a, b, c = torch.zeros(2, 3).shape  # HERE\n",
    "what a function makes of its argument": """
        def f(pairs: list[tuple[int, int]]):
            made = [(a, b) for a, b in pairs]
            (a, b, c), *rest = [(1, 2)]  # HERE
        """,
    "the argument of a call": """
        def f(pair: tuple[int, int]):
            a, b, c = pair  # HERE

        f((1, 2))
        """,
}
QUIET = {
    "an annotated argument": "def f(pair: tuple[int, int]):\n    a, b, c = pair\n",
    "the items of an annotated argument": """
        def f(pairs: list[tuple[str, int]]):
            for name, size, _ in pairs:
                torch.zeros(size)
            return [size for _, size, _ in pairs]
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_a_wrong_number_of_names_is_found(name: str, tmp_path: Path) -> None:
    assert [(line, code) for line, code, _ in reported(tmp_path, FOUND[name])] == [(place(FOUND[name]), "wrong-call")]


@pytest.mark.parametrize("name", QUIET)
def test_the_code_contradicts_an_annotation(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
