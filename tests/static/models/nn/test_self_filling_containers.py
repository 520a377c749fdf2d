"""Containers that fill themselves, in whatever way a module registers a child: they are never taken for empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
import lib

class Block(nn.Sequential):
    def __init__(self, name="up"):
        super().__init__()
        {fill}

out = Block()(torch.rand(2, 3))
assert out.shape == (2, {size})
"""

KNOWN = {
    "setattr": "setattr(self, name, nn.Linear(3, 4))",
    "__setattr__": "self.__setattr__(name, nn.Linear(3, 4))",
    "__setattr__ of the base class": "super().__setattr__(name, nn.Linear(3, 4))",
    "__setattr__ of nn.Module": "nn.Module.__setattr__(self, name, nn.Linear(3, 4))",
    "add_module": "self.add_module(name, nn.Linear(3, 4))",
    "add_module of the base class": "super().add_module(name, nn.Linear(3, 4))",
    "append": "self.append(nn.Linear(3, 4))",
    "append of the base class": "super().append(nn.Linear(3, 4))",
    "extend": "self.extend([nn.Linear(3, 4)])",
    "insert": "self.insert(0, nn.Linear(3, 4))",
    "an augmented assignment": "self += nn.Sequential(nn.Linear(3, 4))",
    "an item of _modules": "self._modules[name] = nn.Linear(3, 4)",
    "an item of the container": "self[name] = nn.Linear(3, 4)",
}
UNKNOWN = {
    "setattr with an unknown name": "setattr(self, lib.name(), nn.Linear(3, 4))",
    "add_module with an unknown name": "self.add_module(lib.name(), nn.Linear(3, 4))",
    "an unknown number of layers": "[self.add_module(key, one) for key, one in lib.layers()]",
    "an unknown item": "self[lib.name()] = nn.Linear(3, 4)",
    "update of _modules": "self._modules.update({name: nn.Linear(3, 4)})",
    "add_module of nn.Sequential": "nn.Sequential.add_module(self, name, nn.Linear(3, 4))",
    "an unknown function": "lib.fill(self)",
    "an unknown function that receives a list": "lib.fill([self])",
}
PLAIN = """
import lib

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.mean = nn.Linear(3, 4), torch.zeros(3)
        {fill}

    def forward(self):
        return self.head(torch.zeros(2, 3) + self.mean)

Net()()
"""
REPLACED = {
    "an item of _modules": "self._modules['head'] = nn.Linear(5, 4)",
    "an item of __dict__": "self.__dict__['mean'] = torch.zeros(5)",
    "update of __dict__": "self.__dict__.update(mean=torch.zeros(5))",
    "__setattr__ of object": "object.__setattr__(self, 'mean', torch.zeros(5))",
    "register_buffer of the base class": "super().register_buffer('mean', torch.zeros(5))",
    "an item of _buffers": "self._buffers['mean'] = torch.zeros(5)",
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_layers_are_known(name: str, tmp_path: Path) -> None:
    right, _ = lines_of(tmp_path, PROGRAM.format(fill=KNOWN[name], size=4))
    assert check([right]) == []
    wrong, _ = lines_of(tmp_path, PROGRAM.format(fill=KNOWN[name], size=5))
    assert [one.code for one in check([wrong])] == ["false-assert"]


@pytest.mark.parametrize("name", UNKNOWN)
def test_the_layers_are_unknown(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, PROGRAM.format(fill=UNKNOWN[name], size=4))
    assert check([path]) == []


@pytest.mark.parametrize("name", REPLACED)
def test_attributes_that_are_set_another_way(name: str, tmp_path: Path) -> None:
    assert check([lines_of(tmp_path, PLAIN.format(fill="pass"))[0]]) == []
    assert [one.code for one in check([lines_of(tmp_path, PLAIN.format(fill=REPLACED[name]))[0]])] == ["shape-mismatch"]


def test_attributes_that_may_be_set(tmp_path: Path) -> None:
    for fill in (
        "self.__dict__.update(lib.state())",
        "vars(self).update(lib.state())",
        "vars(self)[lib.name()] = lib.x",
    ):
        path, _ = lines_of(tmp_path, PLAIN.format(fill=f"self.mean = torch.zeros(5)\n        {fill}"))
        assert check([path]) == []
