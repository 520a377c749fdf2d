"""Attributes that a descriptor or `__setattr__` of the project computes are not what was assigned."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
import torch
from torch import nn

def run(size, width):
    return nn.Linear(size, 2)(torch.zeros(1, width))

"""
QUIET = {
    "a dict that __setattr__ fills": """
        class Store:
            def __init__(self, pairs):
                self.sizes = {}
                for name, size in pairs:
                    setattr(self, name, size)

            def __setattr__(self, name, value):
                if isinstance(value, int):
                    self.sizes[name] = value
                object.__setattr__(self, name, value)

        def first(pairs):
            return torch.cat([torch.zeros(one) for one in Store(pairs).sizes.values()])

        first([("a", 3)])
        """,
    "a data descriptor": """
        class Doubled:
            def __set_name__(self, owner, name): self.name = "_" + name
            def __get__(self, obj, cls=None): return getattr(obj, self.name) * 2
            def __set__(self, obj, value): setattr(obj, self.name, value)

        class Net:
            width = Doubled()
            def __init__(self): self.width = 3

        run(Net().width, 6)
        """,
    "a descriptor that only reads": """
        class Constant:
            def __get__(self, obj, cls=None): return 6

        class Net:
            width = Constant()

        run(Net().width, 6)
        """,
    "__setattr__ that stores another value": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.width = 3

            def __setattr__(self, name, value):
                if isinstance(value, int):
                    value = value * 2
                super().__setattr__(name, value)

        run(Net().width, 6)
        """,
    "__setattr__ that stores it elsewhere": """
        class Store:
            def __init__(self): object.__setattr__(self, "items", {})
            def __setattr__(self, name, value): self.items[name] = value * 2
            def __getattr__(self, name): return self.items[name]

        store = Store()
        store.width = 3
        run(store.width, 6)
        """,
    "items of a dict": """
        class Config(dict):
            def __getattr__(self, name): return self[name]
            def __setattr__(self, name, value): self[name] = value

        config = Config(width=3)
        config.width = 4
        config.update(width=6)
        run(config.width, 6)
        """,
}
FOUND = {
    "__setattr__ that passes on what it receives": """
        class Net(nn.Module):
            def __setattr__(self, name, value):
                print(name)
                super().__setattr__(name, value)

            def __init__(self):
                super().__init__()
                self.width = 3

        run(Net().width, 6)
        """,
    "an object without __get__": """
        class Size:
            def __init__(self): self.width = 3

        class Net:
            size = Size()

        run(Net().size.width, 6)
        """,
}


def _codes(folder: Path, program: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(program))
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", QUIET)
def test_what_is_computed_is_unknown(name: str, tmp_path: Path) -> None:
    assert _codes(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("name", QUIET)
def test_torch_accepts_it(name: str) -> None:
    pytest.importorskip("torch")
    exec(HEAD + textwrap.dedent(QUIET[name]), {"__name__": "program"})


@pytest.mark.parametrize("name", FOUND)
def test_what_is_stored_is_known(name: str, tmp_path: Path) -> None:
    assert _codes(tmp_path, FOUND[name]) == ["shape-mismatch"]
