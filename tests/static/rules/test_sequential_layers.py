"""shape-mismatch of an nn.Sequential that nothing calls: a layer that refuses the result of the one before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

NET = """
class Own(nn.Module):
    def forward(self, x):
        return x.flatten(1)

class Net(nn.Module):
    def __init__(self, hidden: int, rows: int):
        super().__init__()
        {}
"""

FOUND = {
    "Linear": "self.net = nn.Sequential(nn.Linear(8, 16), nn.Linear(32, 4))",
    "Linear behind layers that keep the features": """
        self.net = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Dropout(0.1), nn.LayerNorm(16), nn.Linear(32, 4))
        """,
    "symbolic sizes": "self.net = nn.Sequential(nn.Linear(8, 2 * hidden), nn.ReLU(), nn.Linear(hidden, 4))",
    "Conv2d and BatchNorm2d": "self.net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.BatchNorm2d(32))",
    "Conv1d and Conv1d": "self.net = nn.Sequential(nn.Conv1d(3, 64, 3), nn.ReLU(), nn.Conv1d(32, 8, 3))",
    "GroupNorm": "self.net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.GroupNorm(4, 32))",
    "pooled and flattened": """
        self.net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 10))
        """,
    "flattened to no multiple of the channels": """
        self.net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.Flatten(), nn.Linear(100, 10))
        """,
    "nested": """
        self.net = nn.Sequential(nn.Sequential(nn.Linear(8, 16), nn.ReLU()), nn.Sequential(nn.Linear(32, 4)))
        """,
    "a list from a loop": """
        layers = []
        for before, after in ((3, 8), (8, 16)):
            layers += [nn.Conv2d(before, after, 3), nn.BatchNorm2d(before)]
        self.net = nn.Sequential(*layers)
        """,
    "named layers": """
        from collections import OrderedDict
        self.net = nn.Sequential(OrderedDict(up=nn.Linear(8, 16), out=nn.Linear(32, 4)))
        """,
    "from a method": """
        self.net = self.layers()

    def layers(self):
        return nn.Sequential(nn.Linear(8, 16), nn.Linear(32, 4))
        """,
    "in a loop of any length": """
        for index in range(1, rows + 1):
            self.add_module(str(index), nn.Sequential(nn.Linear(8, 60 * index), nn.Linear(64, 4)))
        """,
    "BatchNorm1d for the features of another layer": """
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 32), nn.BatchNorm1d(16))
        """,
}

QUIET = {
    "sizes that match": "self.net = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))",
    "sizes that may match": "self.net = nn.Sequential(nn.Linear(8, hidden), nn.Linear(2 * rows, 4))",
    "sizes that were compared": """
        assert hidden == rows
        self.net = nn.Sequential(nn.Linear(8, hidden), nn.Linear(rows, 4))
        """,
    "BatchNorm1d over the rows of a sequence": "self.net = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(100))",
    "BatchNorm1d over rows of unknown number": "self.net = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(rows))",
    "Linear over the length of a signal": "self.net = nn.Sequential(nn.Conv1d(8, 16, 3), nn.Linear(32, 4))",
    "flattened to a multiple of the channels": """
        self.net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.Flatten(), nn.Linear(640, 10))
        """,
    "a layer of the project between them": "self.net = nn.Sequential(nn.Linear(8, 16), Own(), nn.Linear(32, 4))",
    "a reshape between them": """
        self.net = nn.Sequential(nn.Linear(8, 64), nn.Unflatten(1, (16, 2, 2)), nn.Conv2d(16, 8, 1))
        """,
    "a ModuleList": "self.net = nn.ModuleList([nn.Linear(8, 16), nn.Linear(32, 4)])",
    "layers that a loop applies": """
        self.net = nn.Sequential(nn.Linear(8, 16), nn.Linear(24, 4))

    def forward(self, x):
        for layer in self.net:
            x = layer(x)
            x = torch.cat([x, x.new_zeros(x.shape[0], 8)], dim=-1)
        return x
        """,
    "layers that are called by their index": """
        self.net = nn.Sequential(nn.Linear(8, 16), nn.Linear(24, 4))

    def forward(self, x, y):
        return self.net[0](x), self.net[1](y)
        """,
    "layers for several inputs that a method returns": """
        self.sizes, self.scores = self.heads()

    def heads(self):
        sizes = nn.Sequential(nn.Conv2d(128, 84, 3), nn.Conv2d(256, 4, 3))
        return sizes, nn.Sequential(nn.Conv2d(128, 42, 3), nn.Conv2d(256, 2, 3))

    def forward(self, xs):
        return [(size(x), score(x)) for x, size, score in zip(xs, self.sizes, self.scores)]
        """,
}


def test_widths_with_different_names(tmp_path: Path) -> None:
    source = NET.format("self.net = nn.Sequential(nn.Linear(rows, hidden), nn.Tanh(), nn.Linear(rows, hidden))  # HERE")
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "off-default")
    assert message.startswith("Linear: expected the last dimension of the input to be rows, got hidden")
    assert message.endswith("(works only if rows equals hidden)")


LISTED = """
class Net(nn.Module):
    def __init__(self, widths: list[int]):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, widths[-1]), nn.Linear(widths[-1], 4))


def build(widths: list[int]):
    return Net(widths=widths)
"""


def test_an_item_of_a_list_that_is_read_twice(tmp_path: Path) -> None:
    assert reported(tmp_path, LISTED) == []


PARALLEL = """
class Parallel(nn.Sequential):
    def __init__(self, *layers):
        super().__init__(*layers)

    {}

Parallel(nn.Linear(8, 16), nn.Linear(32, 4))
"""


@pytest.mark.parametrize("source", FOUND.values(), ids=FOUND)
def test_found(source: str, tmp_path: Path) -> None:
    ((_, code, _),) = reported(tmp_path, NET.format(source))
    assert code == "shape-mismatch"


@pytest.mark.parametrize("source", QUIET.values(), ids=QUIET)
def test_quiet(source: str, tmp_path: Path) -> None:
    assert reported(tmp_path, NET.format(source)) == []


@pytest.mark.parametrize(
    ("method", "is_quiet"), [("def forward(self, x, y): return self[0](x), self[1](y)", True), ("pass", False)]
)
def test_a_class_with_a_forward_of_its_own_applies_its_layers_otherwise(
    method: str, is_quiet: bool, tmp_path: Path
) -> None:
    assert (reported(tmp_path, PARALLEL.format(method)) == []) is is_quiet


def test_reported_at_the_layer(tmp_path: Path) -> None:
    source = NET.format("""
        self.net = nn.Sequential(
            nn.Linear(8, 16),
            nn.ReLU(),
            nn.Linear(32, 4),  # HERE
        )
        """)
    source = source.replace("),  # HERE\n", "),\n").replace("nn.Linear(32, 4),", "nn.Linear(32, 4),  # HERE")
    ((line, _, _),) = reported(tmp_path, source)
    assert line == place(source)


CALLED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential({})

    def forward(self, x):
        return self.net(x)  # HERE

Net()({})
"""


@pytest.mark.parametrize(
    ("layers", "argument"),
    [
        ("nn.Linear(8, 16), nn.Linear(32, 4)", "torch.zeros(2, 8)"),
        ("nn.Conv2d(3, 64, 3), nn.Flatten(), nn.Linear(100, 10)", "torch.zeros(2, 3, 8, 8)"),
    ],
)
def test_reported_once_at_the_call_if_there_is_one(layers: str, argument: str, tmp_path: Path) -> None:
    source = CALLED.format(layers, argument)
    ((line, _, _),) = reported(tmp_path, source)
    assert line == place(source)
