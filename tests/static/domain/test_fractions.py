"""A part of a width: `int(width * 0.5)`, `int(width / 4)`, and their kin."""

from __future__ import annotations

import math
import operator
from pathlib import Path

import pytest

from shapecheck.spec import axis, substitute
from shapecheck.static import check
from shapecheck.static.domain.fractions import SizeFraction, ceiling, floor, size_fraction, truncated

NET = """\
import math

from torch import nn


class Net(nn.Module):
    def __init__(self, width, ratio=0.5):
        super().__init__()
        hidden = {hidden}
        self.narrow = nn.Linear(width, hidden)
        self.wide = nn.Linear({taken}, width)

    def forward(self, x):
        return self.wide(self.narrow(x))
"""
PARTS = [
    "int(width * 0.5)",
    "int(0.25 * width)",
    "int(width * ratio)",
    "int(width / 4)",
    "int(width / 4.0)",
    "math.floor(width * 1.5)",
    "math.ceil(width / 2)",
    "width // 2",
]
OPEN = ["int(width * 0.3)", "int(width / ratio / 3)", "int(width / 1000)", "round(width / 2)", "int(width * -0.5)"]


def lines(tmp_path: Path, hidden: str, taken: str) -> list[int]:
    path = tmp_path / "net.py"
    path.write_text(NET.format(hidden=hidden, taken=taken))
    return [one.line for one in check([path])]


@pytest.mark.parametrize("hidden", PARTS)
def test_a_layer_that_takes_another_part_of_the_width_is_wrong(hidden: str, tmp_path: Path) -> None:
    assert lines(tmp_path, hidden, "2 * hidden") == [14]
    assert lines(tmp_path, hidden, "hidden") == []
    assert lines(tmp_path, hidden, hidden) == []


@pytest.mark.parametrize("hidden", OPEN)
def test_what_is_no_exact_part_is_not_known(hidden: str, tmp_path: Path) -> None:
    assert lines(tmp_path, hidden, "2 * hidden") == []


def test_a_part_and_what_may_be_the_same_number(tmp_path: Path) -> None:
    assert lines(tmp_path, "int(width * 0.5)", "64") == []
    assert lines(tmp_path, "int(width * 0.5)", "width - width // 2") == []


@pytest.mark.parametrize(("factor", "size"), [(0.5, 7), (0.25, 30), (1.5, 9), (0.75, 11)])
def test_parts_are_as_python_computes_them(factor: float, size: int) -> None:
    width = axis("width")
    part = size_fraction(operator.mul, factor, width)
    assert isinstance(part, SizeFraction)
    found = [substitute(one, {width: size}) for one in (truncated(part) or 0, floor(part), ceiling(part))]
    assert found == [int(size * factor), math.floor(size * factor), math.ceil(size * factor)]


@pytest.mark.parametrize("number", [0.0, -0.5, math.inf, math.nan, True, 0.1, 1 << 80, axis("width")])
def test_what_is_no_fraction(number: object) -> None:
    assert size_fraction(operator.truediv, axis("width"), number) is None
    assert size_fraction(operator.truediv, 3, axis("width")) is None
