"""Class variables that functions of the same file set: whether these ran is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

PROGRAM = """
import torch
from shapecheck import reveal_shape
from torch import nn


class Net(nn.Module):
    fused = True
    other = True

    def forward(self, x):
        reveal_shape(torch.ones(2) if {} else torch.ones(3))

    @classmethod
    def set_own(cls):
        cls.other = False


class Other:
    pass


{}
"""
BOTH = ["torch.float32 (?,)"]
"""The shape of both branches together."""
SETTERS = {
    "a function": "def disable():\n    Net.fused = False\n",
    "a context manager": "def disabled():\n    try:\n        Net.fused = False\n        yield\n    finally:\n"
    "        Net.fused = True\n",
    "a method of another class": "class User:\n    def start(self):\n        Net.fused = False\n",
}
NOT_SET = {
    "nothing": "",
    "a variable of another class": "def disable():\n    Other.fused = False\n",
    "a local variable": "def disable():\n    fused = False\n",
}


def revealed(tmp_path: Path, *parts: str) -> list[str]:
    path = tmp_path / "net.py"
    path.write_text(PROGRAM.format(*parts))
    return [one.message for one in check([path])]


@pytest.mark.parametrize("read", ["Net.fused", "self.fused"])
@pytest.mark.parametrize("case", SETTERS)
def test_both_branches_run(read: str, case: str, tmp_path: Path) -> None:
    assert revealed(tmp_path, read, SETTERS[case]) == BOTH


@pytest.mark.parametrize("case", NOT_SET)
def test_a_variable_that_no_function_sets_has_its_value(case: str, tmp_path: Path) -> None:
    assert revealed(tmp_path, "Net.fused", NOT_SET[case]) == ["torch.float32 (2,)"]


def test_a_class_method_sets_a_variable_of_its_class(tmp_path: Path) -> None:
    assert revealed(tmp_path, "Net.other", "") == BOTH


def test_a_subclass_inherits_the_variable(tmp_path: Path) -> None:
    source = "class Sub(Net):\n    pass\n"
    assert revealed(tmp_path, "Sub().fused", source) == ["torch.float32 (2,)"]
    assert revealed(tmp_path, "Sub().fused", source + SETTERS["a function"]) == BOTH


def test_a_function_that_sets_it_knows_the_value(tmp_path: Path) -> None:
    source = "def use():\n    Net.fused = False\n    reveal_shape(torch.ones(4) if Net.fused else torch.ones(5))\n"
    assert "torch.float32 (5,)" in revealed(tmp_path, "x is None", source)
