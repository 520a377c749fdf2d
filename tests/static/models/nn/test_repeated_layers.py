"""nn.Sequential of a number of layers that is not known: the layers of a loop, or of a comprehension."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

MODEL = """
import torch
from shapecheck import reveal_shape
from torch import nn


class Block(nn.Module):
    def __init__(self, i, o, scale=64):
        super().__init__()
        self.scale = scale ** -0.5
        self.conv = nn.Conv2d(i, o, 3, padding=1)
        self.last = nn.Conv2d(o, o, 1) if scale == 3 else nn.Identity()

    def forward(self, x):
        return self.last(self.conv(x))


class Net(nn.Module):
    def __init__(self, dim, depth, dims, scale):
        super().__init__()
        {build}

    def forward(self, x, y):
        b, c, h, w = x.shape
        n, t, d = y.shape
        reveal_shape({result})
"""
LOOP = "layers = [{}]\n        for i in range(depth):\n            layers.append({})\n        "
CASES = {
    "a first layer and more": (
        LOOP.format("nn.Conv2d(3, dim, 1)", "nn.Conv2d(dim, dim, 1)") + "self.net = nn.Sequential(*layers)",
        "self.net(x)",
        "torch.float32 (b, dim, h, w)",
    ),
    "modules of one class": (
        LOOP.format("", "Block(dim, dim, scale=scale)") + "self.net = nn.Sequential(*layers)",
        "self.net(x)",
        "torch.float32 (b, dim, h, w)",
    ),
    "a comprehension": (
        "self.net = nn.Sequential(*[Block(i, o) for i, o in zip(dims[:-1], dims[1:])])",
        "self.net(x)",
        "torch.float32 (b, ?, h, w)",
    ),
    "layers of different classes": (
        LOOP.format("", "nn.Linear(dims[i], dims[i + 1])") + "    layers.append(nn.ReLU())\n"
        "        self.net = nn.Sequential(*layers)",
        "self.net(y)",
        "(n, t, ?)",
    ),
    "a last layer": (
        LOOP.format("", "nn.Linear(dim, dim)") + "self.net = nn.Sequential(*layers, nn.Linear(dim, dim))",
        "self.net(y)",
        "torch.float32 (n, t, dim)",
    ),
    "called with other layers": (
        LOOP.format("nn.Conv2d(3, dim, 1)", "nn.Conv2d(dim, dim, 1)")
        + "self.net = nn.Sequential(nn.Sequential(*layers), nn.Conv2d(dim, 7, 1))",
        "self.net(x)",
        "torch.float32 (b, 7, h, w)",
    ),
}


def revealed(tmp_path: Path, build: str, result: str) -> list[str]:
    path = tmp_path / "net.py"
    path.write_text(MODEL.format(build=build, result=result))
    return [one.message for one in check([path])]


@pytest.mark.parametrize("case", CASES)
def test_the_result_is_that_of_any_number_of_layers(case: str, tmp_path: Path) -> None:
    build, result, shape = CASES[case]
    assert revealed(tmp_path, build, result) == [shape]


def test_layers_of_a_list_of_which_nothing_is_known_have_an_unknown_result(tmp_path: Path) -> None:
    (message,) = revealed(tmp_path, "self.net = nn.Sequential(*dims)", "self.net(x)")
    assert message.startswith("unknown")


def test_a_layer_that_refuses_its_input_is_reported(tmp_path: Path) -> None:
    build = LOOP.format("", "nn.Linear(8, 16)") + "self.net = nn.Sequential(*layers)"
    found = revealed(tmp_path, build, "self.net(torch.ones(2, 9))")
    assert "Linear: expected the last dimension of the input to be 8, got 9 (weight of shape (16, 8))" in found
