"""The example code at the end of a module, which runs first without origins."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest

from shapecheck.static import check
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.statements.main_guards import ends_in_main_guard

GUARD = '\nif __name__ == "__main__":\n'
KEEPS_ITS_NAMES = {
    "names that nothing else uses": f"def f(x):\n    return x\n{GUARD}    y = f(1)\n",
    "a name that is a local name of a function": f"def f(y):\n    x = y\n    return x\n{GUARD}    x = y = f(1)\n",
    "a name that a comprehension and a lambda of the block read": (
        f"def f(x):\n    return x\n{GUARD}    y = [f(1)]\n    z = [one + y for one in y], lambda: y\n"
    ),
    "the condition with its sides exchanged": "x = 1\nif '__main__' == __name__:\n    y = x\n",
    "an import": f"x = 1\n{GUARD}    import argparse\n    argparse.ArgumentParser()\n",
}
OTHERS = {
    "no such block": "def f(x):\n    return x\n",
    "another condition": "MODE = '__main__'\nif MODE == 'b':\n    y = 1\n",
    "the opposite condition": "if __name__ != '__main__':\n    y = 1\n",
    "an else": f"{GUARD}    y = 1\nelse:\n    z = 2\n",
    "a statement after it": f"{GUARD}    y = 1\nz = 2\n",
    "a function in it": f"{GUARD}    def g():\n        return 1\n    g()\n",
    "a class in it": f"{GUARD}    class A:\n        pass\n",
    "a name that a function reads": f"def f(x):\n    return x + y\n{GUARD}    y = 1\n    f(y)\n",
    "an import that a function reads": f"def f(x):\n    return np.array(x)\n{GUARD}    import numpy as np\n    f(1)\n",
    "a name that a method reads": f"class A:\n    def f(self):\n        return y\n{GUARD}    y = 1\n    A().f()\n",
    "a name that a function sets": f"def f():\n    global y\n    y = 2\n{GUARD}    y = 1\n    f()\n",
    "a name that a function reads from all": f"def f():\n    return globals()['y']\n{GUARD}    y = 1\n    f()\n",
}


def loaded_from(source: str, tmp_path: Path) -> SourceModule:
    return SourceModule(tmp_path / "program.py", "program", ast.parse(source), source, is_package=False)


@pytest.mark.parametrize("source", KEEPS_ITS_NAMES.values(), ids=KEEPS_ITS_NAMES)
def test_a_block_keeps_its_names_to_itself(source: str, tmp_path: Path) -> None:
    assert ends_in_main_guard(loaded_from(source, tmp_path))


@pytest.mark.parametrize("source", OTHERS.values(), ids=OTHERS)
def test_other_modules_run_as_they_are(source: str, tmp_path: Path) -> None:
    assert not ends_in_main_guard(loaded_from(source, tmp_path))


HEAD = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, 2)

    def forward(self, x):
        return self.layer(x)


class Options:
    size = 4


def first():
    return Options.size


def wrapped():
    return first()


def grow():
    Options.size = 8


def told(sizes):
    return torch.zeros(3, sizes[0])

"""
FAULTS = {
    "the second of two equal calls": "good = Net(4)(torch.zeros(3, 4))\n    bad = Net(4)(torch.zeros(3, 5))",
    "a call after a function has changed an attribute of the module": (
        "a = Net(first())(torch.zeros(3, 4))\n    grow()\n    b = Net(first())(torch.zeros(3, 4))"
    ),
    "a call after the block has changed an attribute of the module": (
        "a = Net(first())(torch.zeros(3, 4))\n    Options.size = 8\n    b = Net(first())(torch.zeros(3, 4))"
    ),
    "a call that makes a call after a function has changed an attribute of the module": (
        "a = Net(wrapped())(torch.zeros(3, 4))\n    grow()\n    b = Net(wrapped())(torch.zeros(3, 4))"
    ),
    "a call after the block has changed a list of its own": (
        "own = [4]\n    a = Net(4)(told(own))\n    own[0] = 5\n    b = Net(4)(told(own))"
    ),
}
CORRECT = {
    "equal calls": "a = Net(4)(torch.zeros(3, 4))\n    b = Net(4)(torch.zeros(3, 4))",
    "sizes that follow an attribute of the module": (
        "a = Net(first())(torch.zeros(3, 4))\n    grow()\n    b = Net(first())(torch.zeros(3, 8))"
    ),
    "sizes that follow a list of the block": (
        "own = [4]\n    a = Net(4)(told(own))\n    own[0] = 5\n    b = Net(5)(told(own))"
    ),
}


def found_in(body: str, tmp_path: Path) -> list[tuple[int, str, tuple[str, ...]]]:
    file = tmp_path / "program.py"
    file.write_text(HEAD + dedent(body))
    return [(one.line, one.code, tuple(note.message for note in one.notes)) for one in check([file])]


@pytest.mark.parametrize("block", FAULTS.values(), ids=FAULTS)
def test_a_finding_of_a_block_has_the_notes_of_any_other_statement(block: str, tmp_path: Path) -> None:
    found = found_in(f"if __name__ == '__main__':\n    {block}\n", tmp_path)
    assert len(found) == 1
    assert found == found_in(f"if True:\n    {block}\n", tmp_path)


@pytest.mark.parametrize("block", CORRECT.values(), ids=CORRECT)
def test_nothing_is_found_in_correct_blocks(block: str, tmp_path: Path) -> None:
    assert not found_in(f"if __name__ == '__main__':\n    {block}\n", tmp_path)


def test_a_name_of_a_block_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "made.py").write_text(HEAD + "if __name__ == '__main__':\n    size = 5\n")
    user = "import torch\nfrom made import size\ntorch.zeros(2, size) @ torch.zeros(4, 2)\n"
    (tmp_path / "user.py").write_text(user)
    assert [one.line for one in check([tmp_path / "user.py"], roots=[tmp_path])] == [3]
