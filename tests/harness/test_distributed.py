from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.harness.distributed import Share, share_of
from tests.patience import PATIENCE

_TORCHRUN = {"RANK": "5", "WORLD_SIZE": "6", "MASTER_ADDR": "localhost", "MASTER_PORT": "29500"}


@pytest.mark.parametrize(
    ("variables", "share"),
    [
        ({}, Share()),
        ({"RANK": "1", "WORLD_SIZE": "2"}, Share()),  # of another launcher
        (_TORCHRUN, Share(5, 6, 5, 6)),
        ({**_TORCHRUN, "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"}, Share(5, 6, 1, 2)),
    ],
)
def test_the_share_is_that_of_torchrun(variables: dict[str, str], share: Share) -> None:
    assert share_of(variables) == share


def test_the_ranks_take_all_cases_and_none_twice() -> None:
    taken = [item for rank in range(3) for item in Share(rank, 3).of("abcdefgh")]
    assert sorted(taken) == list(enumerate("abcdefgh"))


@pytest.mark.parametrize(
    ("share", "device", "own"),
    [
        (Share(), "cuda", "cuda"),
        (Share(3, 4, 1, 2), "cuda", "cuda:1"),
        (Share(3, 4, 1, 2), "cuda:0", "cuda:0"),
        (Share(3, 4, 1, 2), "cpu", "cpu"),
    ],
)
def test_each_rank_has_a_gpu_of_its_own(share: Share, device: str, own: str) -> None:
    assert share.device(device) == own


_MODELS = """
import os
from jaxtyping import Float
from torch import Tensor, nn

class First(nn.Module):
    def forward(self, x: Float[Tensor, "b c"]) -> Float[Tensor, "b c"]:
        return x + int(os.environ["RANK"])

class Second(First):
    def forward(self, x: Float[Tensor, "b c"]) -> Float[Tensor, "b c"]:
        return x

class Third(First):
    def forward(self, x: Float[Tensor, "b c"]) -> Float[Tensor, "c b"]:
        return x  # the planted mistake
"""


@pytest.mark.skipif(sys.platform == "win32", reason="torchrun is not used there")
def test_under_torchrun_the_first_rank_reports_the_union(tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text(_MODELS)
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--standalone"]
    command = ["-m", "shapecheck", "run", "nets.py", "--check", "sweep", "--output", "report.json"]
    done = subprocess.run(
        [*launch, *command], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 1, done.stderr  # torchrun's own, for any that fails
    assert done.stdout.count("3 cases in") == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert [case["name"] for case in report["cases"]] == ["nets:First", "nets:Second", "nets:Third"]
    assert [case["outcome"] for case in report["cases"]] == ["passed", "passed", "failed"]
    assert report["environment"]["ranks"] == 2
    assert [one["code"] for one in report["diagnostics"]] == ["shape-mismatch"]
