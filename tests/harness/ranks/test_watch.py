"""A process compares its collectives with those of others before it calls them."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from shapecheck.cli import main
from shapecheck.harness.ranks.records import Collective, RankFiles, RankRecord
from shapecheck.harness.ranks.watch import Collectives, MismatchError
from shapecheck.runtime.guards.places import SourceLocation
from tests.versions import since

pytestmark = since(2, 6, "there is no fully_shard and no public DTensor")

SUM = Collective("all_reduce", ("torch.float32 (3, 4)",), "world", "net.py", 9)
MODEL = """
import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch import distributed as dist


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        total = self.fc(x).detach()
        if dist.is_initialized() and dist.get_world_size() > 1:
            if dist.get_rank() == 0:
                dist.all_reduce(total)
            else:
                dist.all_gather([torch.zeros_like(total) for _ in range(2)], total)
        return self.fc(x)
"""


def compared(folder: Path, theirs: list[Collective], is_done: bool = False) -> None:
    """Compare SUM, the first call of rank 0, with the calls of rank 1."""
    other = RankFiles(folder, 1)
    other.collectives.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in theirs))
    if is_done:
        other.record.write_bytes(msgspec.json.encode(RankRecord(1)))
    Collectives(io.BytesIO(), SourceLocation("net.py", 1), [other])._compare(SUM, other)


@pytest.mark.parametrize(
    "theirs",
    [replace(SUM, name="all_gather"), replace(SUM, tensors=("torch.float32 (3, 5)",))],
    ids=["another collective", "another shape"],
)
def test_a_call_that_differs_is_refused(theirs: Collective, tmp_path: Path) -> None:
    with pytest.raises(MismatchError, match="mismatch between collectives of this rank and rank 1"):
        compared(tmp_path, [theirs])


def test_a_call_that_a_process_ended_without_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MismatchError):
        compared(tmp_path, [], is_done=True)


@pytest.mark.parametrize("theirs", [[], [SUM], [replace(SUM, group="half", name="broadcast")]])
def test_a_call_that_may_match_is_made(theirs: list[Collective], tmp_path: Path) -> None:
    compared(tmp_path, theirs)


def test_under_ddp_nobody_waits_for_a_mismatch(tmp_path: Path) -> None:
    """With this limit, a process would wait for 10 minutes."""
    (tmp_path / "net.py").write_text(MODEL)
    output = tmp_path / "report.json"
    options = ["--wrap", "ddp", "--check", "ranks", "--timeout", "2400", "--output", str(output)]
    CliRunner().invoke(main, ["run", str(tmp_path / "net.py"), *options])
    (found,) = _diagnostics(output)
    assert found["code"] == "collective-mismatch"
    assert found["message"].startswith("rank 0 calls all_reduce of torch.float32 (")


def _diagnostics(report: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(report.read_text())["diagnostics"]
    return found
