"""Hooks on layers: what a hook returns takes the place of what the layer is given or gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
import functools
import torch
from torch import nn

seen = []

def watch(module, args, result):
    seen.append(result)

def cut(module, args):
    return (args[0][:, :3],)

def hooked(module):
    module.register_forward_pre_hook(cut)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        HOOK

    def forward(self, x):
        return self.fc(x)

"""
QUIET = {
    "a layer": "layer = nn.Linear(3, 4)\nlayer.register_forward_pre_hook(cut)\nlayer(torch.zeros(2, 12))",
    "a lambda": "layer = nn.Linear(3, 4)\nlayer.register_forward_pre_hook(lambda m, args: args[0][:, :3])\n"
    "layer(torch.zeros(2, 12))",
    "a layer of a Sequential": "net = nn.Sequential(nn.Identity(), nn.Linear(3, 4))\n"
    "net[0].register_forward_hook(lambda m, args, result: result[:, :3])\nnet(torch.zeros(2, 12))",
    "a module, in a function": "net = Net()\nhooked(net)\nnet(torch.zeros(2, 12))",
    "a layer of a module, in a function": "net = Net()\nhooked(net.fc)\nnet(torch.zeros(2, 12))",
    "a layer of a list, in a function": "layers = [nn.Linear(3, 4)]\nhooked(layers[0])\nlayers[0](torch.zeros(2, 12))",
    "a layer under another name": "net = Net()\nlayer = net.fc\nlayer.register_forward_pre_hook(cut)\n"
    "net(torch.zeros(2, 12))",
    "a Sequential, in a function": "net = nn.Sequential(nn.Linear(3, 4))\nhooked(net)\nnet(torch.zeros(2, 12))",
    "a layer that modules() returns": "net = Net()\nfor layer in net.modules():\n"
    "    layer.register_forward_pre_hook(lambda m, args: (args[0][:, :args[0].shape[-1] and 3],))\n"
    "net(torch.zeros(2, 12))",
    "a layer that get_submodule() returns": "net = Net()\nnet.get_submodule('fc').register_forward_pre_hook(cut)\n"
    "net(torch.zeros(2, 12))",
    "a partial function": "net = Net()\nnet.register_forward_hook(functools.partial(lambda n, m, a, r: {n: r}, 'a'))\n"
    "net(torch.zeros(2, 3))['a']",
    "a layer of a module": "net = Net()\nnet.fc.register_forward_pre_hook(cut)\nnet(torch.zeros(2, 12))",
}
FOUND = {
    "a hook that returns nothing": "layer = nn.Linear(3, 4)\nlayer.register_forward_hook(watch)\n"
    "layer(torch.zeros(2, 12))",
    "a lambda that returns nothing": "layer = nn.Linear(3, 4)\n"
    "layer.register_forward_hook(lambda m, args, result: seen.append(result))\nlayer(torch.zeros(2, 12))",
    "a partial function that returns nothing": "def keep(name, module, args, result):\n"
    "    seen.append((name, result))\n"
    "net = Net()\nnet.register_forward_hook(functools.partial(keep, 'a'))\nnet(torch.zeros(2, 12))",
    "a hook on another module": "net, other = Net(), Net()\nhooked(other)\nnet(torch.zeros(2, 12))",
    "a hook on another layer": "layer, other = nn.Linear(3, 4), nn.Linear(3, 4)\n"
    "other.register_forward_pre_hook(cut)\nlayer(torch.zeros(2, 12))",
}


def codes(folder: Path, program: str, hook: str = "pass") -> list[str]:
    path = folder / "program.py"
    path.write_text(f"{HEAD.replace('HOOK', hook)}{program}\n")
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", QUIET)
def test_what_a_hook_may_change_is_not_known(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("name", QUIET)
def test_torch_takes_it(name: str) -> None:
    pytest.importorskip("torch")
    exec(HEAD.replace("HOOK", "pass") + QUIET[name], {"__name__": "program"})


def test_a_hook_on_an_own_layer(tmp_path: Path) -> None:
    hook = "self.fc.register_forward_pre_hook(cut)"
    assert codes(tmp_path, "Net()(torch.zeros(2, 12))", hook) == []


@pytest.mark.parametrize("name", FOUND)
def test_what_no_hook_changes_is_found(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, FOUND[name]) == ["shape-mismatch"]
