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

x = torch.zeros(2, 3, 5, 5)
"""
KNOWN = [
    ("Getter(Body(), 'head')(x)['head']", "torch.float32 (2, 16, 5, 5)"),
    ("Getter(Body(), 'conv')(x)", "{'conv': torch.float32 (2, 8, 5, 5)}"),
    ("[name for name, _ in Body().named_children()]", "['conv', 'head']"),
    ("len(list(Body(nn.BatchNorm2d(8)).children()))", "3"),
    ("nn.Sequential(*Body().children())(x)", "torch.float32 (2, 16, 5, 5)"),
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
