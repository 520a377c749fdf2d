"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import shapecheck
from shapecheck.ops import infer

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_of_the_docstring() -> None:
    finder = doctest.DocTestFinder().find(infer, globs={"infer": infer, "TensorSpec": shapecheck.TensorSpec})
    assert [doctest.DocTestRunner().run(one).failed for one in finder] == [0]


@pytest.mark.parametrize(
    ("start", "source"), [("@op(", "rules/contraction.py"), ("@module(", "modules/linear.py")], ids=["rule", "layer"]
)
def test_a_worked_example_is_the_source(start: str, source: str) -> None:
    page = (ROOT / "docs/adding-an-operator.md").read_text()
    (example,) = re.findall(rf"^{re.escape(start)}.*?(?=^```)", page, re.DOTALL | re.MULTILINE)
    assert example in (ROOT / "shapecheck/ops" / source).read_text()
