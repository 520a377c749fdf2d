"""`shapecheck annotate` on models with a number of layers: they are built, and that number is no size."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main

TRUNK = """
import torch
from torch import nn


class Trunk(nn.Module):
    def __init__(self, dim: int, depth: int):
        super().__init__()
        self.blocks = nn.Sequential(*[nn.Linear(dim, dim) for _ in range(depth)])

    def forward(self, x):
        return self.blocks(x)
"""
FEATURES = 'Float[torch.Tensor, "n {self.stem.out_channels}"]:'
NETS = {
    "passed on to the constructor of another module": (
        """
        self.stem = nn.Conv2d(3, dim, 1)
        self.trunk = Trunk(dim, depth)

    def forward(self, images):
        return self.trunk(self.stem(images).flatten(2).transpose(1, 2))[:, 0]
""",
        FEATURES,
    ),
    "passed on by name": (
        """
        self.stem = nn.Conv2d(3, dim, 1)
        self.trunk = Trunk(depth=depth, dim=dim)

    def forward(self, images):
        return self.trunk(self.stem(images).flatten(2).transpose(1, 2))[:, 0]
""",
        FEATURES,
    ),
    "one for each stage, passed on to a method": (
        """
        self.stem = nn.Conv2d(3, dim, 1)
        self.first = self.stage(dim, depth[0])
        self.second = self.stage(dim, depth[1])

    def stage(self, dim, blocks):
        return nn.Sequential(*[nn.Conv2d(dim, dim, 1) for _ in range(blocks)])

    def forward(self, images):
        return self.second(self.first(self.stem(images))).mean((2, 3))
""",
        FEATURES,
    ),
    "times a tuple of widths": (
        """
        widths = (dim, *((64,) * (depth - 1)))
        layers = []
        for one, other in zip(widths[:-1], widths[1:]):
            layers.extend([nn.Linear(one, other), nn.GELU()])
        self.net = nn.Sequential(*layers, nn.Linear(64, 5))

    def forward(self, x):
        return self.net(x)
""",
        'Float[torch.Tensor, "*batch 5"]:',
    ),
    "the size of a result": (
        """
        self.stem = nn.Conv2d(3, dim, 1)
        self.trunk = Trunk(dim, depth)
        self.depth = depth

    def forward(self, images):
        return torch.stack([images for _ in range(self.depth)])
""",
        'Shaped[torch.Tensor, "{self.depth} *shape"]:',
    ),
}


@pytest.mark.parametrize("count", NETS)
def test_a_number_of_layers(count: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    body, result = NETS[count]
    file = tmp_path / "net.py"
    head = "class Net(nn.Module):\n    def __init__(self, dim: int, depth):\n        super().__init__()"
    file.write_text(f"{TRUNK}\n\n{head}{body}")
    CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "200", str(file)])
    assert f"-> {result}" in file.read_text()


def test_a_number_of_layers_is_no_size_in_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of results is returned only if a flag is set: there, too, its length depends on the constructor."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "net.py"
    file.write_text(
        "import torch\nfrom torch import nn\n\n\n"
        "class Net(nn.Module):\n"
        "    def __init__(self, dim: int, depth, every=False):\n"
        "        super().__init__()\n"
        "        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(depth)])\n"
        "        self.every = every\n\n"
        "    def forward(self, x, other):\n"
        "        b, t, d = x.shape\n"
        "        found = []\n"
        "        for layer in self.layers:\n"
        "            x = layer(x)\n"
        "            found.append(x)\n"
        "        return torch.stack(found) if self.every else other(x)\n"
    )
    CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "200", str(file)])
    assert "b t" in file.read_text()
    assert '"2 ' not in file.read_text()
