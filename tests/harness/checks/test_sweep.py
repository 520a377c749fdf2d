"""A batch of one fails where a larger one works, although the inputs are assumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import Severity
from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine
from shapecheck.harness.run_options import RunOptions

MODEL = """
import torch
from torch import nn


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.project, self.norm, self.mix = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Linear(4, 4)

    def forward(self, pixel_values):
        x = self.project(pixel_values)
        return {result}
"""
LOST = {
    "batchnorm": "self.norm(x.squeeze())",
    "permuted": "self.mix(x.squeeze().permute(0, 2, 3, 1))",
    "dimension": "x.mean((2, 3)).squeeze().softmax(1)",
    "unpacked": "[h * w for n, c, h, w in [x.squeeze().shape]] and x",
}


def reported(
    folder: Path, name: str, result: str, checks: tuple[str, ...] = ("sweep",)
) -> list[tuple[str, Severity, str]]:
    file = folder / f"{name}.py"
    file.write_text(MODEL.replace("{result}", result), encoding="utf-8")
    done = examine(Target(file, name, folder), f"{name}:Images", RunOptions(checks=checks))
    return [(one.code, one.severity, one.message) for one in done.diagnostics]


@pytest.mark.parametrize("name", LOST)
def test_a_dimension_that_a_batch_of_one_loses(name: str, tmp_path: Path) -> None:
    ((code, severity, message),) = reported(tmp_path, f"lost_{name}", LOST[name])
    assert (code, severity) == ("squeeze-batch", Severity.WARNING)
    assert message.startswith("a batch of one loses its dimension: ")
    assert message.endswith("(with batch=1, where batch=2 works)")


def test_a_batch_that_the_model_requires_is_no_lost_dimension(tmp_path: Path) -> None:
    assert reported(tmp_path, "pairs", "x[0] - x[1]") == []


def test_a_squeeze_is_reported_where_it_stands(tmp_path: Path) -> None:
    ((_, _, message),) = reported(tmp_path, "where", LOST["batchnorm"], ("silent", "sweep"))
    assert message == "squeeze() removes the dimension of a batch of one, and no other"
