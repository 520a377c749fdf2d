"""The examples of docs/runtime.md."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "runtime.md"


def test_the_examples_of_the_page() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert not failed
    assert tried > 5
