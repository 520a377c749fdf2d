"""`shapecheck annotate`: results that are broadcast from arguments of any number of dimensions."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from shapecheck import install_import_hook
from shapecheck.cli import main

IMPORTS = "import torch\nfrom torch import Tensor, nn\n\n\n"

ADD = """def add(x: Tensor, y: Tensor):
    return x + y
"""
FROZEN = """class Frozen(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("weight", torch.ones(n))
        self.register_buffer("bias", torch.zeros(n))

    def forward(self, x):
        scale = self.weight.reshape(1, -1, 1, 1)
        bias = self.bias.reshape(1, -1, 1, 1)
        return x * scale + bias
"""
SCALED = """class Scaled(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(size))

    def forward(self, x, shift: Tensor):
        return torch.tanh(x * self.gamma) + shift
"""
WRITTEN = {
    "a sum": (ADD, '(x: Shaped[Tensor, " *#shape"], y: Shaped[Tensor, " *#shape"]) -> Shaped[Tensor, " *#shape"]'),
    "several steps with tensors of known rank": (
        FROZEN,
        '(self, x: Shaped[Tensor, " *#shape"]) -> Shaped[Tensor, " *#shape"]',
    ),
    "a weight of unknown rank": (
        SCALED,
        '(self, x: Shaped[Tensor, " *#shape"], shift: Shaped[Tensor, " *#shape"]) -> Shaped[Tensor, " *#shape"]',
    ),
}
OTHERS = {
    "a part of the result": "def add(x: Tensor, y: Tensor):\n    return (x * 1 + y)[..., :1]\n",
    "the mean of an argument": "def add(x: Tensor, y: Tensor):\n    return x.mean(-1) + y.mean(-1)\n",
    "a product of matrices": "def add(x: Tensor, y: Tensor):\n    return x @ y\n",
}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "net_that_broadcasts.py"


def annotated(file: Path, body: str) -> str:
    file.write_text(IMPORTS + body)
    CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "200", str(file)])
    return file.read_text()


@pytest.mark.parametrize("name", WRITTEN)
def test_the_result_and_the_arguments_broadcast_with_one_another(file: Path, name: str) -> None:
    body, signature = WRITTEN[name]
    assert signature in annotated(file, body)


@pytest.mark.parametrize("name", OTHERS)
def test_a_result_of_other_sizes_does_not_broadcast(file: Path, name: str) -> None:
    assert "#" not in annotated(file, OTHERS[name])


def test_what_is_written_holds_where_either_is_the_larger_one(file: Path) -> None:
    annotated(file, ADD + "\n\n" + FROZEN)
    with install_import_hook(file.stem):
        net = importlib.import_module(file.stem)
    try:
        for one, other in ((4,), (3, 1)), ((3, 1), (4,)), ((2, 3, 4), (4,)), ((), (2, 2)), ((2, 2), (2, 2)):
            assert net.add(torch.ones(one), torch.ones(other)).shape == (torch.ones(one) + torch.ones(other)).shape
        assert net.Frozen(3)(torch.ones(5, 7)).shape == (1, 3, 5, 7)
    finally:
        del sys.modules[file.stem]
