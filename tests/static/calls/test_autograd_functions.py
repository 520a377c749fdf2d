"""Calls of `apply` of a `torch.autograd.Function`."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

_CLASSES = """
import lib
from torch.autograd import Function

class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor=1.0):
        return x * factor

class Shift(Function):
    @staticmethod
    def forward(x, y):
        return x + y
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

class ShiftBack(Shift):
    @staticmethod
    def forward(x, y):
        return x - y

class Mixed(lib.Saving, Function):
    @staticmethod
    def forward(x, y):
        return x - y

x = torch.zeros(2, 3)
"""
QUIET = {
    "the context is passed": "Scale.apply(x)",
    "another argument": "Scale.apply(x, 2.0)",
    "the context is set up": "Shift.apply(x, x)",
    "the context is set up by a base": "ShiftBack.apply(x, x)",
    "the context may be set up by a base": "Mixed.apply(x, x)",
    "without apply": "Scale.forward(None, x)",
}
FOUND = {
    "an argument too many": "Scale.apply(x, 2.0, 3.0)",
    "an argument too many for a context that is set up": "Shift.apply(x, x, x)",
    "an argument too few for a context that a base sets up": "ShiftBack.apply(x)",
}


@pytest.mark.parametrize("call", QUIET.values(), ids=QUIET)
def test_a_call_that_matches_is_not_reported(call: str, tmp_path: Path) -> None:
    assert check([lines_of(tmp_path, _CLASSES + call)[0]]) == []


@pytest.mark.parametrize("call", FOUND.values(), ids=FOUND)
def test_a_call_that_does_not_match_is_reported(call: str, tmp_path: Path) -> None:
    assert [one.code for one in check([lines_of(tmp_path, _CLASSES + call)[0]])] == ["wrong-call"]
