"""unused-layer: a layer with weights that a constructor builds and nothing applies."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

found_in = partial(reported, besides=["unused-layer"])

NET = """
class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.first = nn.Linear(8, width)
        {layer}

    def forward(self, x):
        {forward}
"""
USED = "return self.first(x)"
FOUND = {
    "a layer": "self.last = nn.Linear(width, 4)",
    "a container": "self.last = nn.Sequential(nn.ReLU(), nn.Linear(width, 4))",
    "in a branch": "if width > 4: self.last = nn.Linear(width, 4)",
}
QUIET = {
    "used": ("self.last = nn.Linear(width, 4)", "return self.last(self.first(x))"),
    "no weights": ("self.act = nn.ReLU()", USED),
    "not a layer": ("self.width = width", USED),
    "read by its name": ("self.last = nn.Linear(width, 4)", "return getattr(self, 'la' + 'st')(x)"),
    "read with all others": ("self.last = nn.Linear(width, 4)", "return [one(x) for one in self.children()]"),
    "read in another method": ("self.last = nn.Linear(width, 4)", f"{USED}\n\n    def head(self): return self.last"),
    "its weights": ("self.last = nn.Linear(width, 4)", "return self.first(x) @ self.last.weight"),
    "kept on purpose": ("self.last = nn.Linear(width, 4)  # unused, for older checkpoints", USED),
    "in a comment above": ("# not used yet\n        self.last = nn.Linear(width, 4)", USED),
    "in a comment on the last line": (
        "self.last = nn.Linear(\n            width, 4\n        )  # not used in evaluation",
        USED,
    ),
    "for subclasses": ("self.last = nn.Linear(width, 4)", "raise NotImplementedError"),
    "of another object": ("self.net = Tensor; self.net.last = nn.Linear(width, 4)", USED),
}
BESIDE = {
    "a subclass": "class Sub(Net):\n    def forward(self, x):\n        return x\n",
    "another object": "def head(net):\n    return net.last\n",
    "a name in a string": "NAMES = ['last.weight']\n",
    "a name in a call": "def load(net, state):\n    net.get_submodule('last')\n",
}
ELSEWHERE = {
    "a subclass": "from program import Net\nclass Sub(Net):\n    def forward(self, x):\n        return self.last(x)\n",
    "another name": "from program import Net as Base\nclass Sub(Base):\n    def head(self, x): return self.last(x)\n",
    "another object": "def f(net, x):\n    return net.body.last(x)\n",
    "a string": "KEYS = {'fc': 'last'}\n",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source = NET.format(layer=f"{FOUND[name]}  # HERE", forward=USED)
    message = "self.last is never used: Net builds the layer, but does not apply it"
    assert found_in(tmp_path, source) == [(place(source), "unused-layer", message)]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    layer, forward = QUIET[name]
    assert found_in(tmp_path, NET.format(layer=layer, forward=forward)) == []


@pytest.mark.parametrize("name", BESIDE)
def test_other_code_of_the_file_uses_it(name: str, tmp_path: Path) -> None:
    source = NET.format(layer="self.last = nn.Linear(width, 4)", forward=USED)
    assert found_in(tmp_path, source + BESIDE[name]) == []


@pytest.mark.parametrize("name", ELSEWHERE)
def test_other_files_use_it(name: str, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(ELSEWHERE[name])
    source = NET.format(layer="self.last = nn.Linear(width, 4)", forward=USED)
    assert found_in(tmp_path, source) == []


def test_another_class_of_the_same_name_is_another_one(tmp_path: Path) -> None:
    source = NET.format(layer="self.last = nn.Linear(width, 4)  # HERE", forward=USED)
    (tmp_path / "other.py").write_text(source.replace(USED, "return self.last(self.first(x))"))
    assert [code for _, code, _ in found_in(tmp_path, source)] == ["unused-layer"]


@pytest.mark.parametrize("base", ["nn.Sequential", "Base", "nn.Module, Mixin"])
def test_a_base_class_may_use_it(base: str, tmp_path: Path) -> None:
    source = NET.format(layer="self.last = nn.Linear(width, 4)", forward=USED).replace("nn.Module", base)
    assert found_in(tmp_path, f"from library import Base, Mixin\n{source}") == []


def test_a_class_of_another_file_is_reported_there(tmp_path: Path) -> None:
    source = NET.format(layer="self.last = nn.Linear(width, 4)", forward=USED)
    (tmp_path / "other.py").write_text(f"from torch import nn\n{source}")
    assert found_in(tmp_path, "from other import Net\n\nnet = Net(4)\n") == []
