"""Models wrapped for distributed training, in real process groups on the CPU."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner
from torch import distributed as dist
from torch import nn

from shapecheck.cli import main
from shapecheck.harness.wrap import NAMES, WrapError, group, plain_names, wrapped
from tests.versions import since

_CPU = torch.device("cpu")


KINDS = ["ddp", pytest.param("fsdp", marks=since(2, 6, "there is no fully_shard that runs on the CPU"))]


def test_all_kinds_are_tried() -> None:
    assert set(FOUND) == set(NAMES)


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrapped_model_is_a_copy_that_computes_the_same(kind: str) -> None:
    model = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))
    x = torch.ones(4, 3)
    with group(_CPU):
        twin = wrapped(model, kind, _CPU)
        torch.testing.assert_close(twin(x), model(x))
        twin(x).sum().backward()
        assert [name for name, _ in plain_names(twin)] == [name for name, _ in model.named_parameters()]
        assert all(one.grad is not None for _, one in plain_names(twin))
        del twin  # its reducer would have the last reference to the group, and can deadlock in its destructor
    assert type(model) is nn.Sequential
    assert all(one.grad is None for one in model.parameters())


def test_without_fully_shard_a_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("torch.distributed.fsdp.fully_shard", raising=False)
    with group(_CPU), pytest.raises(WrapError, match=r"^expected torch 2\.6 or newer for fully_shard, got \S+$"):
        wrapped(nn.Linear(3, 5), "fsdp", _CPU)


def test_no_group_is_left_behind() -> None:
    for _ in range(2):
        with pytest.raises(KeyError), group(_CPU):
            assert dist.get_world_size() == 1
            raise KeyError
        assert not dist.is_initialized()


def test_the_variables_of_torchrun_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "nowhere", "MASTER_PORT": "1"}.items():
        monkeypatch.setenv(name, value)
    with group(_CPU):
        assert (dist.get_rank(), dist.get_world_size()) == (0, 1)


def test_a_group_of_the_program_is_left_alone() -> None:
    with group(_CPU):
        with pytest.raises(WrapError, match="its own process group"), group(_CPU):
            pass
        assert dist.is_initialized()


class _Uncopied(nn.Linear):
    def __deepcopy__(self, memo: object) -> Any:
        raise RuntimeError("there is only one")


@pytest.mark.parametrize(
    ("model", "why"),
    [(nn.ReLU(), "no parameters to train"), (_Uncopied(2, 2), "cannot be copied: RuntimeError: there is only one")],
)
def test_what_cannot_be_wrapped_says_why(model: nn.Module, why: str) -> None:
    with group(_CPU), pytest.raises(WrapError, match=why):
        wrapped(model, "ddp", _CPU)


_MODELS = """
from jaxtyping import Float
from torch import Tensor, nn

class Good(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 4)
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        return self.body(x)

class Unused(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 4)
        self.head = nn.Linear(4, 2)
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        return self.body(x)

class Named(Good):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        if type(self).__name__ != "Named":
            raise ValueError("it is another class")
        return self.body(x)

class Bare(nn.Module):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
        return x
"""
FOUND = {
    "ddp": {
        "nets:Unused": "head.weight and head.bias receive no gradient under DistributedDataParallel; "
        "the second step fails"
    },
    "fsdp": {"nets:Named": "forward raises under fully_shard, but not without: ValueError: it is another class"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_wrapper_changes_is_found_by_a_run(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nets.py").write_text(_MODELS)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["run", "nets.py", "--wrap", kind, "--check", "sweep", "--format", "json"])
    report = json.loads(result.stdout)
    found = {one["case"]: one["message"] for one in report["diagnostics"] if one["code"] == "wrap-mismatch"}
    assert found.keys() == FOUND[kind].keys()
    for case, message in FOUND[kind].items():
        assert found[case].startswith(message)
    bare = next(case for case in report["cases"] if case["name"] == "nets:Bare")
    assert [check["detail"] for check in bare["checks"] if check["name"] == "wrapped"] == ["no parameters to train"]
