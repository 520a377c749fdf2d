"""The check that is only run by name: which function and which argument is wrong, and what is no mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.harness.checks.table import all_checks
from shapecheck.harness.results import CaseResult, Status
from shapecheck.harness.run_options import RunOptions
from tests.harness.planted import examined_alone

SOURCE = """\
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return {forward}

    @staticmethod
    def backward(ctx, grad):
        x, scale = ctx.saved_tensors
        return {backward}


own = Own.apply  # before it is recorded


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.full((8,), 1.5))
        self.fc = nn.Linear(8, 8)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
        return own(self.fc(x), self.scale)
"""
WRONG = {
    "x": ("x * scale", "grad, (grad * x).sum(0)"),
    "scale": ("x * scale", "grad * scale, None"),
}
RIGHT = {
    "its derivative": ("x * scale", "grad * scale, (grad * x).sum(0)"),
    "a kink": ("x.relu() * scale", "(x > 0) * grad * scale, (grad * x.relu()).sum(0)"),
    "straight through": ("x.sign() * scale", "grad, (grad * x.sign()).sum(0)"),
    "clipped": ("x.view_as(x)", "grad.clamp(-0.01, 0.01), None"),
}


def examined(folder: Path, forward: str, backward: str) -> CaseResult:
    return examined_alone(folder, SOURCE.format(forward=forward, backward=backward), "gradcheck")


@pytest.mark.parametrize("argument", WRONG)
def test_the_argument_is_named_at_the_line_of_backward(argument: str, tmp_path: Path) -> None:
    (found,) = examined(tmp_path, *WRONG[argument]).diagnostics
    line = SOURCE.splitlines().index("    def backward(ctx, grad):") + 1
    assert (found.code, found.line) == ("wrong-gradient", line)
    assert found.message.startswith(f"Own.backward: the gradient of {argument} is ")
    assert ("missing" in found.message) == (argument == "scale")


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_no_mistake(name: str, tmp_path: Path) -> None:
    result = examined(tmp_path, *RIGHT[name])
    assert not result.diagnostics
    assert [one.outcome for one in result.checks] == [Status.PASSED, Status.PASSED], result.checks


def test_it_runs_only_by_name() -> None:
    (check,) = (one for one in all_checks() if one.name == "gradcheck")
    assert not check.wanted(RunOptions())
    assert check.wanted(RunOptions(checks=("gradcheck",)))
