"""Submodules that code replaces in a way that is followed only in part, and layers that it changes in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        return self.head(self.body(x))

class Pair(Net):
    def forward(self, x):
        return {"out": super().forward(x)}

def shrink(layer):
    layer.weight = nn.Parameter(torch.zeros(3, 8))
    layer.bias = None

def replace(model, names):
    for name in names:
        setattr(model, name, nn.Linear(8, 3))

def replace_at(model, path):
    parent = model
    for name in path.split(".")[:-1]:
        parent = getattr(parent, name)
    setattr(parent, path.split(".")[-1], nn.Linear(8, 3))

def text():
    return str(len("head") and "head")

net = Net()
"""
HEADS = {
    "set_submodule()": "net.set_submodule('head', nn.Linear(8, 3))",
    "set_submodule() with an unknown name": "net.set_submodule(text(), nn.Linear(8, 3))",
    "setattr() with unknown names": "replace(net, sorted({text()}))",
    "setattr() on an unknown object": "replace_at(net, text())",
    "an assigned weight, in a function": "shrink(net.head)",
    "an assigned weight, under another name": "layer = net.head\nlayer.weight = nn.Parameter(torch.zeros(3, 8))\n"
    "layer.bias = None",
    "an assigned weight, in a list": "layers = [net.head]\nfor one in layers:\n    shrink(one)",
}
QUIET = {
    **{name: f"{change}\nnet(torch.zeros(2, 4)) + torch.zeros(2, 3)" for name, change in HEADS.items()},
    "a layer of get_submodule()": "net.get_submodule('body')[0] = nn.Linear(5, 8)\nnet(torch.zeros(2, 5))",
    "set_submodule() with a path": "net.set_submodule('body.0', nn.Linear(5, 8))\nnet(torch.zeros(2, 5))",
    "an attribute of an item": "net.body[0] = nn.Conv1d(4, 8, 3)\nnet.body[0].stride = 2\n"
    "net.body[0].stride = (2,)\nnet.body(torch.zeros(2, 4, 9)) + torch.zeros(2, 8, 4)",
    "an attribute of what a function returns": "net.body[0] = nn.Conv1d(4, 8, 3)\ndef first(): return net.body[0]\n"
    "first().stride = (2,)\nnet.body(torch.zeros(2, 4, 9)) + torch.zeros(2, 8, 4)",
    "another class": "net.__class__ = Pair\nnet(torch.zeros(2, 4))['out']",
}
FOUND = {
    "another path": "net.set_submodule('body.0', nn.Linear(4, 8))\nnet(torch.zeros(2, 5))",
    "the replaced layer": "net.set_submodule('body.0', nn.Linear(5, 8))\nnet(torch.zeros(2, 4))",
    "an attribute of an item": "net.body[0] = nn.Conv1d(4, 8, 3)\nnet.body[0].stride = (2,)\n"
    "net.body(torch.zeros(2, 4, 9)) + torch.zeros(2, 8, 7)",
    "another module": "other = Net()\nshrink(other.head)\nnet(torch.zeros(2, 4)) + torch.zeros(2, 3)",
    "a prefix that no other name has": "for name in sorted({text()}):\n"
    "    setattr(net, f'extra_{name}', nn.Linear(1, 1))\n"
    "net(torch.zeros(2, 5))",
}


def _codes(folder: Path, program: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + program + "\n")
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", QUIET)
def test_what_may_have_been_replaced_is_unknown(name: str, tmp_path: Path) -> None:
    assert _codes(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("name", QUIET)
def test_torch_accepts_it(name: str) -> None:
    pytest.importorskip("torch")
    exec(HEAD + QUIET[name], {"__name__": "program"})


def test_a_layer_of_a_block_of_a_library(tmp_path: Path) -> None:
    block = "from torchvision.ops import Conv2dNormActivation\nblocks = [Conv2dNormActivation(3, 4, 3)]\n"
    call = "nn.Sequential(*blocks)(torch.zeros(1, 3, 9, 9)) + torch.zeros(1, 4, 4, 4)"
    assert _codes(tmp_path, block + call) == ["shape-mismatch"]
    assert _codes(tmp_path, f"{block}blocks[-1][0].stride = 2\nblocks[-1][0].padding = 0\n{call}") == []
    assert _codes(tmp_path, f"{block}blocks[-1][0] = nn.Conv2d(3, 4, 3, 2)\n{call}") == []


@pytest.mark.parametrize("name", FOUND)
def test_what_stays_is_known(name: str, tmp_path: Path) -> None:
    assert _codes(tmp_path, FOUND[name]) == ["shape-mismatch"]
