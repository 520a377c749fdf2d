"""Which functions the analysis of a file has looked into, whatever was analyzed before it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shapecheck.project.observed_code import record_observations
from shapecheck.static.entry.checker import Checker

TEXTS = {
    "base.py": """
import torch
from torch import nn

def scaled(x):
    return x * 2

def never(x):
    return x

def is_small(x):
    return x.shape[0] < 3

def checked(function):
    def inner(*args):
        return function(*args)
    return inner

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.extra = None

    def forward(self, x):
        return scaled(self.layer(x))

    def set_up(self):
        self.extra = 1

    def other(self, x: int = 3):
        return x

class Stated:
    def run(self, x):
        '''Runs.

        Args:
            x: Tensor of shape (batch, 3).
        '''
        return x
""",
    "first.py": "import torch\nfrom base import Base, scaled\n\nBase()(scaled(torch.zeros(2, 3)))\n",
    "second.py": """
import torch
from base import Base, scaled, is_small

class Model(Base):
    def __init__(self):
        super().__init__()
        self.inner = Base()

    def forward(self, x):
        if is_small(x):
            return x
        return self.inner(scaled(x))
""",
    "third.py": "from base import never\n\nused = [never]\n",
    "fourth.py": "import base\n\n@base.checked\ndef function(x):\n    return base.never(x)\n",
    "of_claim.py": "from base import Stated\n\nclass One(Stated):\n    def run(self, x):\n        return x + 1\n",
    "of_same_claim.py": "from base import Stated\n\nclass Two(Stated):\n    def run(self, x):\n        return x + 2\n",
    "fifth.py": "import first\nimport fourth\n\ndef function():\n    return fourth.function(3)\n",
}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return sorted(tmp_path / name for name in TEXTS)


def observed(files: list[Path], path: Path, before: list[Path]) -> set[str]:
    """The units that a file observes, or the body of a module that it imports, if others were analyzed before."""
    checker = Checker(files)
    outcomes = [checker.outcome(one, ()) for one in (*before, path)]
    bodies = {real: one.observed for outcome in outcomes for real, one in outcome.reads.items()}
    imports = {real: [*one.imports.values()] for outcome in outcomes for real, one in outcome.reads.items()}
    reached, waiting = set(), [str(path)]
    while waiting:
        one = waiting.pop()
        if one not in reached:
            reached.add(one)
            waiting += filter(None, imports[one])
    return outcomes[-1].observed.union(*(bodies[one] for one in reached))


@pytest.mark.parametrize("name", TEXTS)
def test_it_does_not_depend_on_what_ran_before(name: str, files: list[Path]) -> None:
    path = files[0].parent / name
    others = [one for one in files if one != path]
    alone = observed(files, path, [])
    assert alone <= observed(files, path, others)
    assert alone <= observed(files, path, others[::-1])
    assert alone <= observed(files, path, [path, path])


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("first.py", {"scaled", "Base.__init__", "Base.forward"}, {"never", "is_small", "checked"}),
        ("second.py", {"scaled", "is_small", "Base.__init__", "Base.forward"}, {"never", "checked"}),
        ("third.py", set(), {"scaled", "is_small", "checked", "Base.forward"}),
        ("fourth.py", {"checked", "never"}, {"scaled", "is_small", "Base.forward"}),
        ("of_claim.py", {"Stated.run"}, {"scaled", "Base.forward"}),
        ("of_same_claim.py", {"Stated.run"}, {"scaled", "Base.forward"}),
    ],
)
def test_what_a_file_looks_into(name: str, inside: set[str], outside: set[str], files: list[Path]) -> None:
    found = {one.partition(" in ")[0] for one in observed(files, files[0].parent / name, files)}
    assert inside <= found
    assert found.isdisjoint(outside)


def test_units_are_nodes_like_others() -> None:
    text = "class A:\n\n    async def f(self):\n        return 1\n\ndef g(x):\n\n    def inner():\n        return x"
    tree, plain = ast.parse(text), ast.parse(text)
    record_observations(tree, "file.py")
    assert ast.dump(tree) == ast.dump(plain)
    assert ast.unparse(tree) == ast.unparse(plain)
    assert [type(one).__name__ for one in ast.walk(tree)] == [type(one).__name__ for one in ast.walk(plain)]
    assert compile(tree, "file.py", "exec")
