"""Floats that nobody knows: a size to a power, a root, a parameter that is annotated so."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
import math
import torch
from jaxtyping import Float32, Int64
from torch import Tensor
from shapecheck import reveal_shape

def f(x: Float32[Tensor, "b t d"], i: Int64[Tensor, "b t d"], heads: int, factor: float, other):
    d = x.shape[-1]
    scale = d ** -0.5
"""
FLOATS = [
    "scale",
    "-scale",
    "1 / d",
    "d / heads",
    "2 * scale",
    "scale + d",
    "heads ** -0.5",
    "(d // heads) ** 0.5",
    "1.0 / math.sqrt(d)",
    "math.log(d / 2)",
    "math.sqrt(factor)",
    "float(d)",
    "factor",
    "(scale if heads > 3 else factor)",
]
OTHERS = ["other", "(other * scale)", "math.gcd(d, 2)", "(-2.0) ** factor", "round(scale)"]


def _told(folder: Path, source: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(f"{HEAD}    {source}\n")
    return [one.message for one in check([path])]


@pytest.mark.parametrize("written", FLOATS)
def test_a_float_changes_no_shape(tmp_path: Path, written: str) -> None:
    assert _told(tmp_path, f"reveal_shape((x * {written}, {written} - i))") == [
        "(torch.float32 (b, t, d), torch.float32 (b, t, d))"
    ]


@pytest.mark.parametrize("written", OTHERS)
def test_what_may_be_no_float_may_be_anything(tmp_path: Path, written: str) -> None:
    (told,) = _told(tmp_path, f"reveal_shape(x * ({written}))")
    assert told == "(..., ?, ?, ?)"


@pytest.mark.parametrize(
    "source",
    [
        "torch.zeros(int(scale), 3)",
        "x * scale if scale else x",
        "x ** scale + torch.full_like(x, scale)",
        "assert scale > 3 and x.shape[0] == int(d * 0.5)",
        "y = x.clamp(min=scale).masked_fill(x > scale, factor)",
    ],
)
def test_nothing_is_said_of_its_value(tmp_path: Path, source: str) -> None:
    assert _told(tmp_path, source) == []


def test_what_follows_is_checked(tmp_path: Path) -> None:
    (found,) = _told(tmp_path, "x * scale + torch.zeros(3, 2)[:, :, None].expand(3, 2, 5) @ torch.zeros(4, 1)")
    assert "matmul" in found
