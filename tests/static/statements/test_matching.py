"""`match` statements: a case runs if its pattern may match the subject."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

NAMES = """
import enum
from shapecheck import reveal_shape


class Mode(enum.Enum):
    SUM = "sum"
    MEAN = "mean"


class Level(enum.IntEnum):
    LOW = 1


def run(subject):
    x = torch.rand(2)
    match subject:
        case {pattern}:
            reveal_shape(x)
        case _:
            reveal_shape(x[None])


run({subject})
"""
CASES = [
    ("torch.channels_last", "torch.contiguous_format", False),
    ("torch.contiguous_format", "torch.contiguous_format", True),
    ("torch.sparse_coo", "torch.rand(2).layout", False),
    ("torch.float", "torch.float32", True),
    ("torch.float16 | torch.bfloat16", "torch.float32", False),
    ("torch.float32", "torch.rand(3).dtype", True),
    ("torch.channels_last", "None", False),
    ("torch.nn.ReLU", "nn.ReLU", True),
    ("torch.nn.ReLU", "nn.GELU", False),
    ("Mode.SUM", "Mode.SUM", True),
    ("Mode.SUM", "Mode.MEAN", False),
    ("Level.LOW", "1", True),
    ("1", "True", True),
    ("True", "1", False),
    ("None", "torch.rand(2)", False),
    ("None", "None", True),
    ("2", "len([1, 2])", True),
    ("(1, torch.float32)", "(1, torch.float32)", True),
    ("(1, torch.float32)", "(1, torch.float64)", False),
    ("(1, torch.float32)", "(1, unknown())", None),
    ("(1, *_)", "(1, 2)", None),
    ("torch.channels_last", "unknown()", None),
    ("Mode.SUM", "unknown()", None),
]


@pytest.mark.parametrize(("pattern", "subject", "verdict"), CASES)
def test_a_value_matches_what_equals_it(tmp_path: Path, pattern: str, subject: str, verdict: bool | None) -> None:
    path, _ = lines_of(tmp_path, NAMES.format(pattern=pattern, subject=subject))
    expected = {True: ["(2,)"], False: ["(1, 2)"], None: ["(2,)", "(1, 2)"]}[verdict]
    assert [one.message for one in check([path])] == [f"torch.float32 {shape}" for shape in expected]
