"""`named_children()` and `children()` of modules of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
from collections import OrderedDict
import torch
from torch import nn
from shapecheck import reveal_shape

class Body(nn.Module):
    def __init__(self, norm=None):
        super().__init__()
        self.width = 8
        self.conv = nn.Conv2d(3, 8, 1)
        self.norm = norm
        self.head = nn.Conv2d(8, 16, 1)

class Getter(nn.ModuleDict):
    def __init__(self, model, name):
        layers = OrderedDict()
        for key, layer in model.named_children():
            layers[key] = layer
            if key == name:
                break
        super().__init__(layers)

    def forward(self, x):
        out = OrderedDict()
        for name, layer in self.items():
            x = layer(x)
            out[name] = x
        return out

class Numbered(nn.Module):
    def __init__(self, count=2):
        super().__init__()
        for index in range(count):
            self.add_module(name=str(index), module=nn.Conv2d(3, 4, 1))

    def forward(self, x):
        return torch.cat([layer(x) for layer in self._modules.values()], 1)

class Named(nn.Module):
    def __init__(self, names):
        super().__init__()
        for name in names:
            self.add_module(name, nn.Conv2d(3, 4, 1))

    def forward(self, x):
        return torch.cat([layer(x) for layer in self._modules.values()], 1)

class Apply:
    def __call__(self, layer, x):
        return layer(x)

class Applying(nn.Module):
    def __init__(self, apply):
        super().__init__()
        self.apply_to = apply
        self.conv = nn.Conv2d(3, 4, 1)

    def forward(self, x):
        for layer in self._modules.values():
            x = self.apply_to(layer, x)
        return x

class ApplyingContainer(nn.Sequential):
    def __init__(self, *layers):
        super().__init__(*layers)
        self.apply_to = Apply()

    def forward(self, x):
        for layer in self._modules.values():
            x = self.apply_to(layer, x)
        return x

x = torch.zeros(2, 3, 5, 5)
"""
KNOWN = [
    ("Getter(Body(), 'head')(x)['head']", "torch.float32 (2, 16, 5, 5)"),
    ("Getter(Body(), 'conv')(x)", "{'conv': torch.float32 (2, 8, 5, 5)}"),
    ("[name for name, _ in Body().named_children()]", "['conv', 'head']"),
    ("len(list(Body(nn.BatchNorm2d(8)).children()))", "3"),
    ("nn.Sequential(*Body().children())(x)", "torch.float32 (2, 16, 5, 5)"),
    ("Numbered(3)(x)", "torch.float32 (2, 12, 5, 5)"),
    ("len(list(Numbered(3).children()))", "3"),
    ("Applying(Apply())(x)", "torch.float32 (2, 4, 5, 5)"),
    ("ApplyingContainer(nn.Conv2d(3, 4, 1), nn.Conv2d(4, 5, 1))(x)", "torch.float32 (2, 5, 5, 5)"),
]


@pytest.mark.parametrize(("shown", "value"), KNOWN)
def test_what_is_known(shown: str, value: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}reveal_shape({shown})\n")
    (only,) = check([path])
    assert only.message.startswith(value)


def test_an_attribute_that_may_be_a_module_leaves_them_open(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}reveal_shape(list(Body(input()).children()))\n")
    (only,) = check([path])
    assert only.message.startswith("unknown")


def test_layers_with_unknown_names_are_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}Named(input().split())(x)\nreveal_shape(list(Named(input().split()).children()))\n")
    (only,) = check([path])
    assert only.message.startswith("unknown")


def test_no_layer_at_all_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}Numbered(0)(x)\n")
    assert [one.code for one in check([path])] == ["shape-mismatch"]
