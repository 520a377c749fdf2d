"""How often the checks call a model: calls are the cost of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine
from shapecheck.harness.run_options import RunOptions

MODEL = """
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

CALLS = []


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 8)

    def forward(self, words: Int[Tensor, "b t"]) -> Float[Tensor, "b t 8"]:
        CALLS.append(tuple(words.shape))
        return self.embed(words)
"""


def calls(folder: Path, name: str, options: RunOptions) -> list[tuple[int, ...]]:
    """The shapes of the arguments of all calls."""
    file = folder / f"{name}.py"
    file.write_text(MODEL, encoding="utf-8")
    examine(Target(file, name, folder), f"{name}:Words", options)
    found: list[tuple[int, ...]] = __import__(name).CALLS
    return found


@pytest.mark.parametrize("check", ["silent", "sweep"])
def test_a_batch_of_one_is_tried_by_each_of_two_checks(tmp_path: Path, check: str) -> None:
    found = calls(tmp_path, f"words_{check}", RunOptions(checks=(check,)))
    assert [shape for shape in found if shape[0] == 1 and shape[1] > 1] == [(1, found[0][1])]


def test_sweep_does_not_repeat_the_batch_of_one(tmp_path: Path) -> None:
    found = calls(tmp_path, "words_both", RunOptions(checks=("silent", "sweep")))
    assert found.count((1, found[0][1])) == 1


def test_without_data_the_range_of_integers_needs_no_second_call(tmp_path: Path) -> None:
    found = calls(tmp_path, "words_fake", RunOptions(checks=("contract",), device="fake"))
    assert len(found) == len(("reference", "module tree and memory of gradients"))


def test_arguments_that_do_not_change_need_no_further_call(tmp_path: Path) -> None:
    with_check, without = (
        calls(tmp_path, f"words_{check}", RunOptions(checks=(check,))) for check in ("arguments", "contract")
    )
    assert with_check == without


def test_a_model_that_forbids_hooks_is_observed_without_what_it_saves(tmp_path: Path) -> None:
    file = tmp_path / "unhooked.py"
    forbidden = 'with torch.autograd.graph.disable_saved_tensors_hooks("none"):\n            return'
    file.write_text(MODEL.replace("return", forbidden), encoding="utf-8")
    result = examine(Target(file, "unhooked", tmp_path), "unhooked:Words", RunOptions(checks=("contract",)))
    assert [module.path for module in result.modules] == ["", "embed"]
    assert result.cost is not None
    assert "activations" not in result.cost.memory
    assert "gradients" in result.cost.memory
