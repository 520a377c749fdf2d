"""Exceptions that say nothing about the program: no memory is left, or a fake tensor has no values."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.results import CaseResult, Status
from shapecheck.harness.run_options import RunOptions

MODEL = """
from jaxtyping import Float
from torch import Tensor, autograd, nn


class Refused(autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 19267584 bytes.")


class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x: Float[Tensor, "batch 8"]) -> Float[Tensor, "batch 8"]:
        y = self.fc(x)
        {statement}
        return y
"""
CAUSES = {
    "no memory is left in backward": ("Large", "y = Refused.apply(y)", "cpu", "backward", "memory"),
    "train mode reads values": (
        "Reading",
        "y = y * (y.sum().item() if self.training else 1)",
        "fake",
        "train",
        "values",
    ),
}


@pytest.mark.parametrize(("name", "statement", "device", "check", "reason"), CAUSES.values(), ids=CAUSES)
def test_the_check_is_skipped_with_the_reason(
    name: str, statement: str, device: str, check: str, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / f"not_the_program_{name}.py"
    file.write_text(MODEL.format(name=name, statement=statement))
    result = _examined(file, RunOptions(device=device, checks=(check,)), name)
    assert not result.diagnostics
    (skipped,) = (one for one in result.checks if one.name == check)
    assert skipped.outcome is Status.SKIPPED
    assert reason in skipped.detail


def _examined(file: Path, options: RunOptions, name: str) -> CaseResult:
    target = Target(file, file.stem, file.parent, name)
    (case,) = list_cases(target)
    return examine(target, case.name, options)
