"""The examples of docs/runtime.md and docs/guards.md."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(("page", "least"), [("runtime.md", 6), ("guards.md", 3)])
def test_the_examples_of_the_page(page: str, least: int) -> None:
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert not failed
    assert tried >= least
