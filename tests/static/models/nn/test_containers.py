"""Items that are deleted from containers, and attributes of containers that are no layers."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
class Body(nn.Sequential):
    def forward(self, x):
        for layer in self._modules.values():
            x = layer(x)
        return x

body = {kind}(nn.Linear(3, 4), nn.Linear(4, 5), nn.Linear(5, 6))
{change}
out = body(torch.rand(2, 3))
assert out.shape == (2, {size})
"""
CHANGES = {
    "the last item": ("del body[-1]", 5),
    "some items": ("for _ in range(2):\n    del body[-1]", 4),
    "a slice": ("del body[1:]", 4),
    "an item, and one more layer": ("del body[-1]\nbody.append(nn.Linear(5, 9))", 9),
    "a layer by its name": ("body.add_module('last', nn.Linear(6, 9))\ndel body.last", 6),
    "a flag is no layer": ("body.is_frozen = True", 6),
    "a number is no layer": ("body.width = 6\nassert body.width == 6", 6),
}


@pytest.mark.parametrize("kind", ["nn.Sequential", "Body"])
@pytest.mark.parametrize("name", CHANGES)
def test_the_layers_that_are_left(name: str, kind: str, tmp_path: Path) -> None:
    change, size = CHANGES[name]
    path, source = lines_of(tmp_path, PROGRAM.format(kind=kind, change=change, size=size))
    exec(source, {})
    assert check([path]) == []
    wrong, _ = lines_of(tmp_path, PROGRAM.format(kind=kind, change=change, size=7))
    assert [one.code for one in check([wrong])] == ["false-assert"]


def test_an_unknown_item_that_is_deleted(tmp_path: Path) -> None:
    for kind in ("nn.Sequential", "Body"):
        path, _ = lines_of(tmp_path, PROGRAM.format(kind=kind, change="import lib\ndel body[lib.index()]", size=7))
        assert check([path]) == []


@pytest.mark.parametrize(
    "item",
    [
        "nn.ModuleList(modules=[nn.Linear(3, 4), nn.Linear(3, 5)])[1].weight",
        "nn.ModuleDict(modules={'a': nn.Linear(3, 4), 'b': nn.Linear(3, 5)})['b'].weight",
        "nn.ParameterList(values=[torch.zeros(4, 3), torch.zeros(5, 3)])[1]",
        "nn.ParameterDict(parameters={'a': torch.zeros(4, 3), 'b': torch.zeros(5, 3)})['b']",
    ],
)
def test_the_items_of_a_keyword_argument(item: str, tmp_path: Path) -> None:
    path, source = lines_of(tmp_path, f"item = {item}\nassert item.shape == (5, 3)\n")
    exec(source, {})
    assert check([path]) == []
    wrong, _ = lines_of(tmp_path, f"item = {item}\nassert item.shape == (4, 3)\n")
    assert [one.code for one in check([wrong])] == ["false-assert"]
