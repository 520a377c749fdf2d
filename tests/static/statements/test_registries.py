"""The variables of a module after its body: what functions or other modules fill or rebind later is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

QUIET = {
    "a list that another module fills": """
        CACHE = []

        def joined():
            return torch.cat(CACHE)
        """,
    "a dict of a class that another module fills": """
        class Registry:
            found = {}

        def joined():
            return torch.cat(list(Registry.found.values()))
        """,
    "a list that a function fills through another name": """
        CACHE = []

        def add(x):
            cache = CACHE
            cache.append(x)

        def joined():
            return torch.cat(CACHE)
        """,
    "a number that a function sets": """
        ROWS = 0

        def resize(n):
            global ROWS
            ROWS = n

        def first():
            return torch.zeros(ROWS)[0]
        """,
    "a tensor that a function sets": """
        TABLE = torch.empty(0)

        def fit(x):
            global TABLE
            TABLE = x

        def first():
            return TABLE[0]
        """,
}

FOUND = {
    "a list that the body of the module leaves empty for its own code": """
        cache = []
        torch.cat(cache)  # HERE
        """,
    "a number that no function sets": """
        ROWS = 0

        def first():
            return torch.zeros(ROWS)[0]  # HERE
        """,
    "a size that a function sets as well": """
        ROWS = 4

        def resize():
            global ROWS
            ROWS = 4

        def product():
            return torch.zeros(2, ROWS) @ torch.zeros(5, 2)  # HERE
        """,
}


@pytest.mark.parametrize("name", QUIET)
def test_what_is_filled_later(name: str, tmp_path: Path) -> None:
    assert check([lines_of(tmp_path, QUIET[name])[0]]) == []


@pytest.mark.parametrize("name", FOUND)
def test_what_is_known(name: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, FOUND[name])
    assert [text.splitlines()[one.line - 1].endswith("# HERE") for one in check([path])] == [True]
