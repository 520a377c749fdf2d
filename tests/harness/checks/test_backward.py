"""Gradients of parameters that only other arguments than the assumed ones use."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine
from shapecheck.harness.results import CaseResult
from shapecheck.harness.run_options import RunOptions

MODEL = """
import torch
from torch import nn


class Patches(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Conv2d(3, 4, 3)
        self.mask_token = nn.Parameter(torch.zeros(1))
        self.extra = nn.Linear(4, 4)

    def forward(self, pixel_values, bool_masked_pos=None):
        x = self.project(pixel_values)
        {statement}
        return x

    def masked(self, x, positions):
        return x + self.extra(self.mask_token * positions)[..., None, None]
"""
USED = "self.mask_token.is_floating_point(); x = x if bool_masked_pos is None else self.masked(x, bool_masked_pos)"
ASSUMED = "pixel_values"
STATED = "pixel_values: 'Float[torch.Tensor, \"b 3 h w\"]'"


def examined(folder: Path, name: str, statement: str, images: str = ASSUMED) -> CaseResult:
    file = folder / f"{name}.py"
    text = MODEL.replace("{statement}", statement).replace("forward(self, pixel_values", f"forward(self, {images}")
    file.write_text(f"from jaxtyping import Float\n{text}", encoding="utf-8")
    return examine(Target(file, name, folder), f"{name}:Patches", RunOptions(checks=("backward",)))


def without_gradient(result: CaseResult) -> list[str]:
    return [one.message for one in result.diagnostics if one.code == "missing-gradient"]


def test_another_argument_may_use_them(tmp_path: Path) -> None:
    result = examined(tmp_path, "patches_optional", USED)
    assert without_gradient(result) == []
    (found,) = [one for one in result.checks if one.name == "backward"]
    assert found.detail == "the assumed inputs do not use extra.bias, extra.weight and mask_token"


@pytest.mark.parametrize("statement", ["pass", "bool_masked_pos"])
def test_no_argument_uses_them(tmp_path: Path, statement: str) -> None:
    messages = without_gradient(examined(tmp_path, f"patches_{statement}", statement))
    assert [message.partition(" receive")[0] for message in messages] == ["mask_token", "extra.weight and extra.bias"]


def test_a_result_that_is_detached_is_reported(tmp_path: Path) -> None:
    messages = without_gradient(examined(tmp_path, "patches_cut", "x = x.detach() + self.mask_token"))
    assert any(message.endswith("this line detaches its result") for message in messages)


def test_all_results_that_are_detached_are_reported(tmp_path: Path) -> None:
    messages = without_gradient(examined(tmp_path, "patches_all_cut", "x = (self.extra.weight[0, 0] * x).detach()"))
    cut = [message for message in messages if message.endswith("this line detaches its result")]
    assert [message.partition(" receive")[0] for message in cut] == ["project.weight, project.bias and extra.weight"]


def test_without_a_gradient_nothing_is_detached(tmp_path: Path) -> None:
    statement = "with torch.no_grad(): x = self.project(pixel_values).detach()"
    result = examined(tmp_path, "patches_no_grad", statement)
    assert without_gradient(result) == []
    assert [one.detail for one in result.checks if one.name == "backward"] == ["no result that requires a gradient"]


def test_the_author_states_all_inputs(tmp_path: Path) -> None:
    assert without_gradient(examined(tmp_path, "patches_stated", USED, STATED))


TARGETS = """assert not self.training or bool_masked_pos is not None, "training needs targets"
        x = self.extra(x.detach().mean((2, 3))) + self.mask_token"""


def test_a_loss_of_arguments_that_train_mode_requires_may_use_them(tmp_path: Path) -> None:
    result = examined(tmp_path, "patches_targets", TARGETS)
    assert without_gradient(result) == []
    (found,) = [one for one in result.checks if one.name == "backward"]
    assert found.detail == "train mode requires other inputs than those that are assumed"


def test_the_author_states_all_inputs_of_train_mode(tmp_path: Path) -> None:
    assert without_gradient(examined(tmp_path, "patches_stated_targets", TARGETS, STATED))
