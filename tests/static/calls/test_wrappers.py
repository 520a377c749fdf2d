"""torch.compile, jit.script and DistributedDataParallel: what they give does what they are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
import torch
from torch import nn
from torch.nn.parallel import DataParallel, DistributedDataParallel as DDP
from shapecheck import reveal_shape

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(x)

def double(x):
    return torch.cat([x, x], dim=-1)

net = Net()
"""
FOLLOWED = {
    "a model": "torch.compile(net)(torch.zeros(2, 3))",
    "a model with options": "torch.compile(net, mode='max-autotune')(torch.zeros(2, 3))",
    "a model by keyword": "torch.compile(model=net)(torch.zeros(2, 3))",
    "options first": "torch.compile(fullgraph=True)(net)(torch.zeros(2, 3))",
    "a layer": "torch.compile(nn.Linear(3, 4))(torch.zeros(2, 3))",
    "a function": "torch.compile(double)(torch.zeros(2, 2))",
    "a method": "torch.compile(net.forward)(torch.zeros(2, 3))",
    "a Sequential": "torch.compile(nn.Sequential(net, nn.ReLU()))(torch.zeros(2, 3))",
    "a script": "torch.jit.script(net)(torch.zeros(2, 3))",
    "a distributed model": "DDP(torch.compile(net), device_ids=[0])(torch.zeros(2, 3))",
}


def _messages(folder: Path, source: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + source)
    return [one.message for one in check([path])]


@pytest.mark.parametrize("expression", FOLLOWED.values(), ids=FOLLOWED)
def test_what_is_wrapped_is_called(tmp_path: Path, expression: str) -> None:
    assert _messages(tmp_path, f"reveal_shape({expression})\n") == ["torch.float32 (2, 4)"]


def test_a_model_that_is_compiled_where_asked(tmp_path: Path) -> None:
    source = "if input():\n    net = torch.compile(net)\nnet(torch.zeros(2, 5))\n"
    (message,) = _messages(tmp_path, source)
    assert "expected the last dimension of the input to be 3, got 5" in message


def test_dataparallel_is_not_followed(tmp_path: Path) -> None:
    """Each GPU gets a part of the batch."""
    assert _messages(tmp_path, "DataParallel(net)(torch.zeros(2, 5))\n") == []
