"""A ModuleList of unknown length, all of whose layers are alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import CODES

HEAD = """\
import torch
from torch import nn
from shapecheck import reveal_shape

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return x + self.fc(x)

class Net(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.width = width
        self.layers = nn.ModuleList([Block(width) for _ in range(depth)])
        self.tree = nn.ModuleDict({"h": self.layers})
        SETUP

    def forward(self, x):
        x = x.float().view(5, -1, self.width)
        RUN
        reveal_shape(x)

"""
STACK = "for layer in self.layers: x = layer(x)"
KNOWN = {
    "gone through": ("", STACK),
    "in a ModuleDict": ("", "for layer in self.tree.h: x = layer(x)"),
    "with its index": ("", "for i, layer in enumerate(self.layers): x = layer(x)"),
    "by index": ("", "x = self.layers[0](self.layers[-1](x))"),
    "a part": ("", "for layer in self.layers[1:]: x = layer(x)"),
    "appended": ("self.layers.append(Block(width))", STACK),
    "children": ("", "for layer in self.layers.children(): x = layer(x)"),
    "moved": ("self.layers.to('cuda')", STACK),
}


def _told(folder: Path, setup: str, run: str, rest: str = "") -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD.replace("SETUP", setup).replace("RUN", run) + rest)
    return [one.message for one in check([path], codes=CODES)]


@pytest.mark.parametrize(("setup", "run"), KNOWN.values(), ids=KNOWN)
def test_what_each_layer_keeps_is_known(tmp_path: Path, setup: str, run: str) -> None:
    assert _told(tmp_path, setup, run) == ["torch.float32 (5, ?, width)"]


@pytest.mark.parametrize(
    "setup",
    [
        "self.layers.append(nn.Linear(width, 3))",
        "self.layers.extend(input())",
        "self.layers[0] = nn.Linear(width, 3)",
    ],
)
def test_what_one_layer_may_change_is_not(tmp_path: Path, setup: str) -> None:
    (told,) = _told(tmp_path, setup, STACK)
    assert not told.startswith("torch.float32 (5, ?, width)")


def test_a_cast_reaches_each_layer(tmp_path: Path) -> None:
    found = _told(tmp_path, "self.layers.half()", STACK, "Net(int(input()), 4)(torch.zeros(5, 3, 4))\n")
    assert any("got torch.float32 and torch.float16" in one for one in found)


def test_a_wrong_layer_of_many_is_found(tmp_path: Path) -> None:
    (found, _) = _told(tmp_path, "", "for layer in self.layers: x = layer(torch.cat([x, x], -1))")
    assert "expected the last dimension of the input to be width, got 2*width" in found


def test_layers_that_differ_are_no_finding(tmp_path: Path) -> None:
    setup = "self.layers = nn.ModuleList([nn.Linear(width if i == 0 else 8, 8) for i in range(depth)])"
    assert len(_told(tmp_path, setup, STACK)) == 1


APPENDED = {
    "a block": ("Block(width)", "layer(x)"),
    "two layers": ("nn.ModuleList([Block(width), nn.Linear(width, width)])", "layer[1](layer[0](x))"),
    "a Sequential": ("nn.Sequential(nn.Linear(width, width), nn.ReLU(), Block(width))", "layer(x)"),
}


@pytest.mark.parametrize(("made", "run"), APPENDED.values(), ids=APPENDED)
@pytest.mark.parametrize("first", ["", "self.norm = nn.LayerNorm(width)"], ids=["", "after a norm"])
def test_layers_that_a_loop_appends(tmp_path: Path, made: str, run: str, first: str) -> None:
    setup = f"{first}; self.layers = nn.ModuleList([])".lstrip("; ")
    setup += f"\n        for _ in range(depth): self.layers.append({made})"
    assert _told(tmp_path, setup, f"for layer in self.layers: x = {run}") == ["torch.float32 (5, ?, width)"]


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(depth): self.layers.append(nn.Linear(width if i == 0 else 8, 8))",
        "for _ in range(depth): self.layers.append(nn.Linear(width, 8)); width = 8",
        "for _ in range(depth):\n            if depth > 3: self.layers.append(Block(width))\n            "
        "else: self.layers.append(nn.Linear(width, 8))",
    ],
)
def test_what_changes_from_round_to_round_is_no_finding(tmp_path: Path, loop: str) -> None:
    (told,) = _told(tmp_path, f"self.layers = nn.ModuleList([])\n        {loop}", STACK)
    assert not told.startswith("torch.float32 (5, ?, width)")


def test_a_wrong_layer_that_a_loop_appends_is_found(tmp_path: Path) -> None:
    loop = "for _ in range(depth): self.layers.append(nn.Linear(width, 2 * width))"
    setup = f"self.layers = nn.ModuleList([])\n        {loop}"
    (found, *_) = _told(tmp_path, setup, "for layer in self.layers: x = layer(layer(x))")
    assert "expected the last dimension of the input to be width, got 2*width" in found


def test_a_cast_reaches_a_layer_that_a_variable_holds(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    for cast, expected in (("net.double()", []), ("net.eval()", ["dtype-mismatch"])):
        path.write_text(
            "import torch\nfrom torch import nn\n"
            "class Net(nn.Module):\n    def __init__(self, fc):\n        super().__init__()\n        self.fc = fc\n"
            "def main():\n    fc = nn.Linear(5, 3)\n    net = Net(fc)\n"
            f"    {cast}\n    fc(torch.zeros(2, 5, dtype=torch.float64))\nmain()\n"
        )
        assert [one.code for one in check([path], codes=CODES)] == expected
