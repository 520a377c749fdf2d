"""An attribute that is assigned through an unknown object may be that of any object in reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

MODES = """
class Step(nn.Module):
    def __init__(self, mode="s"):
        super().__init__()
        self.mode = mode
        self.other = mode
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        if self.mode == "s":
            return self.conv(x)
        return self.conv(x.flatten(0, 1))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = Step()

    def forward(self, x):
        return self.step(x)


def set_all(net, name):
    for m in net.modules():
        if hasattr(m, name):
            setattr(m, name, "m")


def switch(m):
    m.mode = "m"


def use(key):
    net = Net()
    {change}
    return net(torch.zeros(5, 2, 3, 8, 8))
"""
"""A module that accepts one more axis in its second mode."""

CHANGES = (
    'for m in net.modules():\n        m.mode = "m"',
    'for m in net.modules():\n        if isinstance(m, Step):\n            m.mode = "m"',
    'for _, m in net.named_modules():\n        setattr(m, "mode", "m")',
    'set_all(net, "mode")',
    'set_all(nn.ModuleList([net]), "mode")',
    '[setattr(m, "mode", "m") for m in net.modules()]',
    'for m in filter(lambda m: isinstance(m, Step), net.modules()):\n        m.mode = "m"',
    'getattr(net, key).mode = "m"',
    'dict(net.named_modules())[key].mode = "m"',
    "net.apply(switch)",
    'net.apply(lambda m: setattr(m, "mode", "m"))',
)
OTHER_CHANGES = (
    "pass",
    'for m in net.modules():\n        m.other = "m"',
    'for m in net.modules():\n        m.mode = "s"',
    "for m in net.modules():\n        m.training = False",
    "net.apply(print)",
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_mode_that_is_set_on_submodules_selects_the_branch(tmp_path: Path, change: str) -> None:
    path, _ = lines_of(tmp_path, MODES.format(change=change))
    assert check([path]) == []


@pytest.mark.parametrize("change", OTHER_CHANGES)
def test_other_attributes_keep_their_values(tmp_path: Path, change: str) -> None:
    path, _ = lines_of(tmp_path, MODES.format(change=change))
    assert [one.code for one in check([path])] == ["shape-mismatch"]


def test_a_property_sets_the_attribute_that_its_setter_writes(tmp_path: Path) -> None:
    getter = "    @property\n    def kind(self):\n        return self.mode\n\n"
    setter = f"{getter}    @kind.setter\n    def kind(self, value):\n        self.mode = value\n\n"
    source = MODES.replace("class Net", f"{setter}\nclass Net", 1).format(change='set_all(net, "kind")')
    path, _ = lines_of(tmp_path, source)
    assert check([path]) == []


LAYERS = """
class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(10, 4))
        self.w = nn.Parameter(torch.zeros(10, 4))
        self.conv = nn.Conv2d(3, 10, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.conv(x))


def use(name):
    net = Holder()
    {change}
    y = net(torch.zeros(1, 3, 8, 8))
    assert {test}


use("w")
"""

RESIZED = {
    "a size of a layer": ("for m in net.modules():\n        m.out_channels = 5", "net.conv.out_channels == 5"),
    "a weight": ("for m in net.modules():\n        m.weight = nn.Parameter(m.weight[:5])", "y.shape == (1, 5, 6, 6)"),
    "the data of a weight": (
        "for m in net.modules():\n        m.weight.data = m.weight.data[:5]",
        "y.shape == (1, 5, 6, 6)",
    ),
    "the data of parameters": ("for p in net.parameters():\n        p.data = p.data[:5]", "net.w.shape == (5, 4)"),
    "the data of named parameters": (
        "for _, p in net.named_parameters():\n        p.data = p.data[:5]",
        "net.w.shape == (5, 4)",
    ),
    "the data of buffers": ("for b in net.buffers():\n        b.data = b.data[:5]", "net.steps.shape == (5, 4)"),
    "resized buffers": ("for b in net.buffers():\n        b.resize_(5, 4)", "net.steps.shape == (5, 4)"),
    "set parameters": ("for p in list(net.parameters()):\n        p.set_(torch.zeros(3, 4))", "net.w.shape == (3, 4)"),
    "one parameter": ("net.get_parameter(name).data = torch.zeros(3, 4)", "net.w.shape == (3, 4)"),
    "the first parameter": ("next(net.parameters()).data = torch.zeros(3, 4)", "net.w.shape == (3, 4)"),
}
UNCHANGED = {
    "zeroed parameters": ("for p in net.parameters():\n        p.data.zero_()", "net.w.shape == (5, 4)"),
    "scaled parameters": ("for p in net.parameters():\n        p.data /= 2", "net.w.shape == (5, 4)"),
    "scaled weights": ("for m in net.modules():\n        m.weight.data *= 2", "net.w.shape == (5, 4)"),
    "filled buffers": ("for b in net.buffers():\n        b.fill_(1)", "net.steps.shape == (5, 4)"),
    "a probability": ("for m in net.modules():\n        m.p = 0.1", "y.shape == (1, 5, 6, 6)"),
    "a parameter without gradient": (
        "for p in net.parameters():\n        p.requires_grad = False",
        "y.shape == (1, 5, 6, 6)",
    ),
    "no bias": ("for m in net.modules():\n        m.bias = None", "y.shape == (1, 5, 6, 6)"),
}


@pytest.mark.parametrize("case", RESIZED)
def test_layers_that_are_resized_through_unknown_objects(tmp_path: Path, case: str) -> None:
    change, test = RESIZED[case]
    path, _ = lines_of(tmp_path, LAYERS.format(change=change, test=test))
    assert check([path]) == []


@pytest.mark.parametrize("case", UNCHANGED)
def test_layers_whose_sizes_remain(tmp_path: Path, case: str) -> None:
    change, test = UNCHANGED[case]
    path, _ = lines_of(tmp_path, LAYERS.format(change=change, test=test))
    assert [one.code for one in check([path])] == ["false-assert"]
