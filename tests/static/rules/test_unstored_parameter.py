"""unknown-attribute: an attribute that has the name of a parameter which the constructor does not store."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = "import torch\nfrom torch import nn\nfrom library import Module\n"
BLOCK = """
class Block(Module):
    {variable}

    def __init__(self, width: int, rate: float = 0.1):
        super().__init__({passed})
        self.linear = nn.Linear(width, width)
        {constructor}

    def forward(self, x):
        return torch.dropout(self.linear(x), self.rate, self.training)

    {method}
"""
QUIET = {
    "stored": {"constructor": "self.rate = rate"},
    "used in the constructor": {"constructor": "self.drop = nn.Dropout(rate)"},
    "passed to the base class": {"passed": "rate=rate"},
    "stored by another method": {"method": "def begin(self): self.rate = 0.2"},
    "a class variable": {"variable": "rate = 0.1"},
    "a declared variable": {"variable": "rate: float"},
    "a property": {"method": "@property\n    def rate(self): return 0.1"},
    "all variables": {"constructor": "vars(self).update(locals())"},
    "set by its name": {"constructor": "for name in ('r' + 'ate',): setattr(self, name, 1)"},
}


def source(**parts: str) -> str:
    names = ("variable", "passed", "constructor", "method")
    return HEAD + BLOCK.format(**{name: parts.get(name, "" if name == "passed" else "pass") for name in names})


def test_found(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(source())
    (found,) = check([path])
    assert found.code == "unknown-attribute"
    assert found.message == "Block has no attribute rate: its constructor does not store the parameter"


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(source(**QUIET[name]))
    assert check([path]) == []


@pytest.mark.parametrize("text", ["def f(block):\n    block.rate = 0.2\n", "class Module:\n    rate = 0.1\n"])
def test_another_file_gives_it(text: str, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(text)
    path = tmp_path / "program.py"
    path.write_text(source())
    assert check([path]) == []
