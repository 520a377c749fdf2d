"""The note about a size that a parameter fixes: which sizes, which parameter, and where it is defined."""

from __future__ import annotations

import re

import pytest

from shapecheck.diagnostics import Severity
from shapecheck.harness.examine import examine
from shapecheck.harness.run_options import RunOptions
from tests.harness.planted import MODELS, target

FILE = MODELS / "pinned.py"
NOTES = {
    "Positions": ("any t", "t=7", ["pos with shape (1, 7, 16)"]),
    "Derived": ("any t", "t=7", ["ids with shape (7,)"]),
    "Causal": ("any t", "t=9", ["mask with shape (9, 9)"]),
    "Mixer": ("any t", "t=7", ["tokens.0.weight with shape (12, 7)"]),
    "Image": ("any h, w", "h=8, w=12", ["pos with shape (1, 5, 8, 12)"]),
    "Ambiguous": ("any t", "t=7", ["scale with shape (7, 16)", "shift with shape (7, 16)"]),
    "Tokens": ("any t", "t=7", ["pos.weight with shape (7, 16)"]),
}
"""Model, names, sizes, and each tensor that may be the reason."""


@pytest.mark.parametrize("name", NOTES)
def test_it_names_the_tensors_and_their_lines(name: str) -> None:
    names, sizes, tensors = NOTES[name]
    result = examine(target(FILE), f"models.pinned:{name}", RunOptions(checks=("pinned",)))
    (found,) = result.diagnostics
    assert (found.code, found.severity) == ("pinned-size", Severity.NOTE)
    message = re.sub(r" \(\S*pinned\.py:(\d+)\)", "", found.message)
    reasons = " or ".join(tensors)
    assert message == f"the annotation allows {names}, but the model accepts only {sizes}, because of {reasons}"
    lines = FILE.read_text(encoding="utf-8").splitlines()
    defined = [lines[int(number) - 1] for number in re.findall(r"pinned\.py:(\d+)\)", found.message)]
    assert len(defined) == len(tensors)
    for line, tensor in zip(defined, tensors, strict=True):
        assert re.search(rf"\b{tensor.partition(' ')[0].partition('.')[0]}\b", line)


def test_it_works_without_data() -> None:
    result = examine(target(FILE), "models.pinned:Causal", RunOptions(checks=("pinned",), device="fake"))
    assert [one.code for one in result.diagnostics] == ["pinned-size"]
