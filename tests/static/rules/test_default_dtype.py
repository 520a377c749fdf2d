"""The default dtype: what assumes that it is float32 is not reported where code of another file changes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

PRECISION = """
import torch

def use_double():
    torch.set_default_dtype(torch.float64)

def use_single():
    pass
"""
PROGRAM = """
import torch
from precision import use_double, use_single

{call}

def product(x):
    return torch.zeros(3, 3, dtype=torch.float64) @ torch.zeros(3, 3)
"""


@pytest.mark.parametrize(("call", "count"), [("use_double()", 0), ("use_single()", 1)])
def test_a_mismatch_with_the_default_dtype(call: str, count: int, tmp_path: Path) -> None:
    (tmp_path / "precision.py").write_text(PRECISION)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(call=call))
    assert [one.code for one in check([program])] == ["dtype-mismatch"] * count
