"""Lists whose number of items is unknown: what is true of all items stays known when they are combined."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

_HEAD = """
from shapecheck import reveal_shape

class Net(nn.Module):
    def __init__(self, depth: int):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])

    def activate(self, x): return x.relu()

    def forward(self, x):
        x = x.view(2, 3, 4)
        outs = []
        for layer in self.layers:
            outs.append(layer(x))
        {statement}
"""

SHAPES = {
    "torch.stack([*outs, x], 1)": "(2, ?, 3, 4)",
    "torch.stack([x, *outs], 1)": "(2, ?, 3, 4)",
    "torch.stack((x, *outs), 1)": "(2, ?, 3, 4)",
    "torch.stack(outs + [x], 1)": "(2, ?, 3, 4)",
    "torch.stack([x] + [layer(x) for layer in self.layers], 1)": "(2, ?, 3, 4)",
    "torch.cat([] + outs, 1)": "torch.float32 (2, ?, 4)",
    "torch.stack(list(map(self.activate, outs)), 1)": "torch.float32 (2, ?, 3, 4)",
    "sum(outs)": "torch.float32 (2, 3, 4)",
    "sum(layer(x) for layer in self.layers)": "torch.float32 (2, 3, 4)",
}


@pytest.mark.parametrize("expression", SHAPES)
def test_the_shape_of_what_is_made_of_an_open_list(expression: str, tmp_path: Path) -> None:
    source = _HEAD.format(statement=f"reveal_shape({expression})")
    execute(f"{source}\nNet(2)(torch.rand(24))")
    assert findings(tmp_path, source) == [f"{SHAPES[expression]} [revealed-shape]"]


FAILING = {
    "a matrix product of a stack": "torch.stack([*outs, x]) @ torch.rand(5, 2)",
    "a matrix product of a sum": "sum(outs) @ torch.rand(5, 2)",
    "a function for every item": "list(map(nn.Linear(5, 2), outs))",
}


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_for_every_number_of_items(name: str, tmp_path: Path) -> None:
    assert len(findings(tmp_path, _HEAD.format(statement=FAILING[name]))) == 1


SILENT = {
    "items of different shapes": "torch.cat([*outs, x[:, :1]], 1) @ torch.rand(4, 2)",
    "items of different ranks": "[one.sum(-1) for one in [*outs, x[0]]]",
    "an unknown part": "print(torch.stack([*outs, *self.more(x)]))",
    "a sum with broadcasting": "sum([*outs, x[:, :1]]).view(2, 3, 4)",
    "a set": "len({x, *outs})",
    "the last item": "[*outs, x[0]][-1] @ torch.rand(4, 2)",
}


@pytest.mark.parametrize("name", SILENT)
def test_what_some_number_of_items_makes_right_is_silent(name: str, tmp_path: Path) -> None:
    source = (
        _HEAD.format(statement=SILENT[name]) + "\n    def more(self, x): return torch.unbind(torch.stack([x, x]))\n"
    )
    execute(f"{source}\nNet(2)(torch.rand(24))")
    assert findings(tmp_path, source) == []


def test_many_branches_keep_the_last_sizes(tmp_path: Path) -> None:
    source = """
        from shapecheck import reveal_shape

        def select(x: torch.Tensor, mode: str):
            x = x.view(2, 3, 4)
            if mode == "a": y = x[0]
            elif mode == "b": y = x[0, 0]
            elif mode == "c": y = x
            elif mode == "d": y = x[None]
            else: y = x[None, None]
            reveal_shape(y)
            y @ torch.rand(4, 2)
            return y @ torch.rand(5, 2)
        """
    assert findings(tmp_path, source) == [
        "(..., 4) [revealed-shape]",
        "matmul: cannot multiply (..., 4) @ (5, 2): 4 != 5 [shape-mismatch]",
    ]
