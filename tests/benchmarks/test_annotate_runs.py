"""The forwards that `benchmarks.annotate --infer` counts, and the bugs that `--planted` plants and looks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import annotate_forwards, annotate_infer, annotate_planted
from benchmarks.annotate_infer import inferred_runs
from benchmarks.annotate_planted import Planting, planted

pytest.importorskip("torch")

LAYERS = """
import torch
from torch import nn


class Inner(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.fc = nn.Linear(config["width"], 8)

    def forward(self, x):
        b, t, d = x.shape
        return self.fc(x).transpose(1, 2)


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner({"width": 4})

    def forward(self, x):
        b, t, d = x.shape
        return self.inner(x).mean(dim=1, keepdim=True)


class Abstract(nn.Module):
    def forward(self, x):
        raise NotImplementedError
"""
CHAIN = """
import torch
from torch import nn


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 2)

    def forward(self, x):
        return self.last(self.first(x))
"""
PROGRAM = """
import torch
from chain import Chain
Chain()(torch.rand(3, 4))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "repository"
    made.mkdir()
    (made / "layers.py").write_text(LAYERS)
    return made


def test_a_forward_counts_alone_or_as_a_part_of_a_model_that_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotate_infer, "DEVICES", ("fake",))
    found = inferred_runs(folder / "layers.py", (), 1)
    assert sorted(found.forwards.values()) == ["Inner.forward", "Outer.forward"]
    assert {found.forwards[place] for place in found.inside} == {"Inner.forward", "Outer.forward"}
    assert {found.forwards[place] for place in found.alone} == {"Outer.forward"}


def test_planted_bugs_are_found_or_listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong width within the chain contradicts its neighbor; one at an end is a bug for the program alone."""
    (folder / "chain.py").write_text(CHAIN)
    monkeypatch.setattr(annotate_planted, "FORWARDS", {"repository": ((), PROGRAM)})
    result = planted("repository", folder, (), Planting(10, parts=("check",)))
    missed = [line.partition("]")[2].split(" + ")[1] for line in result.missed]
    assert sorted(missed) == ["self.first = nn.Linear(2 * (4), 8)", "self.last = nn.Linear(8, 2 * (2))"]
    assert (result.bugs, result.by_check, result.by_run) == (6, 4, 0)
    assert (folder / "chain.py").read_text() == CHAIN


def test_a_repository_whose_program_does_not_run_is_skipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotate_planted, "FORWARDS", {"repository": ((), "import layers\nraise KeyError('no')")})
    assert "KeyError" in planted("repository", folder, (), Planting(3)).skipped


def test_a_repository_without_a_program_is_skipped(folder: Path) -> None:
    assert "other" not in annotate_forwards.FORWARDS
    assert planted("other", folder, (), Planting(3)).skipped
