"""Parameters that `setattr` replaces, under names and in layers that may be unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
from library import names


def replace(model, name, value):
    parts = name.rsplit(".", 1)
    parent = model.get_submodule(parts[0]) if len(parts) == 2 else model
    if isinstance(getattr(parent, parts[-1], None), nn.Parameter):
        setattr(parent, parts[-1], nn.Parameter(value, requires_grad=False))


class Layer(nn.Linear):
    pass


def use():
    layer = nn.Linear(3, 4, bias=False)
    derived = Layer(3, 4, bias=False)
    layers = nn.Sequential(layer, nn.ReLU())
    value = torch.zeros(4, {size}, dtype=torch.{dtype})
    {change}
    return {called}(torch.zeros(2, {size}, dtype=torch.{dtype}))


use()
"""
CHANGES = {
    "a known name": ("setattr(layer, 'weight', nn.Parameter(value))", "layer"),
    "another variable": ("one = layer\n    setattr(one, 'weight', nn.Parameter(value))", "layer"),
    "a layer in a container": ("setattr(layers[0], 'weight', nn.Parameter(value))", "layers"),
    "a name that is computed": ("for name in names():\n        setattr(layer, name, nn.Parameter(value))", "layer"),
    "a derived layer": ("for name in names():\n        setattr(derived, name, nn.Parameter(value))", "derived"),
    "a function": ("replace(layer, 'weight', value)", "layer"),
    "a path": ("for name in names():\n        replace(layers, name, value)", "layers"),
    "unknown submodules": (
        "for one in layers.modules():\n        for name in names():\n            setattr(one, name, value)",
        "layers",
    ),
    "parameters by name": (
        "for name, one in layers.named_parameters():\n"
        "        setattr(layers.get_submodule(name), name, nn.Parameter(one.to(value.dtype)))",
        "layers",
    ),
}
KEPT = {
    "nothing": "pass",
    "a name with another prefix": "for name in names():\n        setattr(layer, f'extra_{name}', value)",
    "no parameter": "setattr(layer, 'extra', value)",
    "a number": "for name in names():\n        setattr(layer, name, 3)",
}


def _codes(folder: Path, change: str, called: str, size: int, dtype: str) -> list[str]:
    path, _ = lines_of(folder, PROGRAM.format(change=change, called=called, size=size, dtype=dtype))
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", CHANGES)
def test_a_parameter_that_is_set_by_its_name_has_another_dtype_and_shape(name: str, tmp_path: Path) -> None:
    change, called = CHANGES[name]
    assert _codes(tmp_path, change, called, 3, "bfloat16") == []
    assert _codes(tmp_path, change, called, 5, "float32") == []
    assert _codes(tmp_path, "pass", called, 3, "bfloat16") == ["dtype-mismatch"]
    assert _codes(tmp_path, "pass", called, 5, "float32") == ["shape-mismatch"]


@pytest.mark.parametrize("name", KEPT)
def test_other_attributes_keep_the_parameters(name: str, tmp_path: Path) -> None:
    assert _codes(tmp_path, KEPT[name], "layer", 3, "bfloat16") == ["dtype-mismatch"]
    assert _codes(tmp_path, KEPT[name], "layer", 5, "float32") == ["shape-mismatch"]


def test_the_shape_is_kept_if_the_new_parameter_has_the_same(tmp_path: Path) -> None:
    change = "for name in names():\n        setattr(layer, name, torch.zeros(4, 3))"
    assert _codes(tmp_path, change, "layer", 5, "float32") == ["shape-mismatch"]
    assert _codes(tmp_path, "setattr(layer, 'weight', torch.zeros(4, 3))", "layer", 5, "float32") == ["shape-mismatch"]


_COLLECTIONS = """
from library import names, read


class Table:
    def __init__(self):
        self.rows = {{"one": torch.zeros(3)}}
        self.parts = [torch.zeros(3)]
        self.pair = (torch.zeros(3), 1)
        for name in names():
            {change}


def use():
    table = Table()
    return {used} + torch.zeros(4)
"""


@pytest.mark.parametrize("used", ["table.rows['one']", "table.parts[0]", "table.pair[0]"])
def test_a_collection_may_be_replaced_under_an_unknown_name(used: str, tmp_path: Path) -> None:
    def codes(change: str) -> list[str]:
        path, _ = lines_of(tmp_path, _COLLECTIONS.format(change=change, used=used))
        return [one.code for one in check([path])]

    assert codes("setattr(self, name, read(getattr(self, name)))") == []
    assert codes("object.__setattr__(self, name, read(name))") == []
    assert codes("setattr(self, name, 3)") == ["shape-mismatch"]
    assert codes("setattr(self, 'other', read(name))") == ["shape-mismatch"]
