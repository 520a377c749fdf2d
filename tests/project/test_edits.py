"""What an edit of a file changes: names that others see, bodies of functions, or possibly anything."""

from __future__ import annotations

import pytest

from shapecheck.project.edits import change_of

FILE = '''\
"""A file."""
import math
import torch
from torch import nn
from .base import Base, register

SIZE = 4
TABLE = {"a": 1}


def scaled(x, by=SIZE):
    # halves
    return x * by


@register
def registered(x):
    return x + 1


@torch.no_grad()
def frozen(x):
    return x


class Block(Base):
    """A block."""

    width = 3

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)

    def forward(self, x):
        return self.first(x)


class Wide(Block):
    pass
'''


def resolve(level: int, dotted: str) -> str | None:
    return "base.py" if level else None


def change(old: str, new: str, text: str = FILE) -> tuple[set[str], set[str]] | None:
    assert text.count(old) == 1, old
    found = change_of(text, text.replace(old, new), resolve)
    return None if found is None else (set(found.names), set(found.units))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# halves", "# doubles"),
        ("    # halves\n", ""),
        ("\n\nclass Wide", "\n\n\n# a comment\n\nclass Wide"),
        ("return x * by", "return (\n        x * by\n    )"),
        ('"""A file."""', '"""Another text."""'),
        ("from .base import Base, register", "from .base import (  # all\n    Base,\n    register,\n)"),
    ],
)
def test_comments_and_layout_change_nothing(old: str, new: str) -> None:
    assert change(old, new) == (set(), set())


@pytest.mark.parametrize(
    ("old", "new", "units"),
    [
        ("return x * by", "return x + by", {"scaled"}),
        ("return x + 1", "return x + 2", {"registered"}),
        ("nn.Linear(3, 4)", "nn.Linear(3, 5)", {"Block.__init__"}),
        ("return self.first(x)", "import math\n        return self.first(x)", {"Block.forward"}),
        ("# halves", "# (n, 3)", {"scaled"}),
        ("# halves", "# shared with the decoder", {"scaled"}),
    ],
)
def test_a_body_is_changed_alone(old: str, new: str, units: set[str]) -> None:
    assert change(old, new) == (set(), units)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("SIZE = 4", "SIZE = 5", {"SIZE"}),
        ("SIZE = 4\n", "SIZE = 4\nOTHER = math.pi\n", {"OTHER"}),
        ("by=SIZE", "by=2", {"scaled", "SIZE"}),
        ("def scaled(x, ", "def scaled(x, y, ", {"scaled"}),
        ("def scaled", "def rescaled", {"scaled", "rescaled", "SIZE"}),
        ("import math\n", "", {"math"}),
        ("import math\n", "import math\nimport os\n", {"os"}),
        ("@torch.no_grad()\n", "", {"frozen"}),
        ("width = 3", "width = 4", {"Block", "Base"}),
        ("def forward(self, x)", "def forward(self, x, y)", {"Block", "Base"}),
        ("    pass\n", "    depth = 1\n", {"Wide", "Block", "Base"}),
        ("class Wide(Block):\n    pass\n", "", {"Wide", "Block", "Base"}),
    ],
)
def test_definitions_are_changed_by_name(old: str, new: str, names: set[str]) -> None:
    """With a class, its bases: a new override may concern calls of their methods."""
    found = change(old, new)
    assert found is not None
    assert found[0] - {"SIZE"} == names - {"SIZE"}
    assert found[1] == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SIZE = 4\n", "SIZE = 4\nregister(SIZE)\n"),
        ("SIZE = 4", "SIZE = register(4)"),
        ("SIZE = 4\n", "SIZE = 4\nif register(1):\n    SIZE = 5\n"),
        ("@register\n", ""),
        ("def registered(x)", "def registered(x, y)"),
        ("Base, register", "Base, other, register"),
        ("import math\n", "from .more import *\n"),
        ("class Block(Base)", "class Block(Base, metaclass=register)"),
        ("return x * by", "x.flag = True\n    return x * by"),
        ("return x * by", "TABLE['b'] = 2\n    return x * by"),
        ("return x * by", "TABLE.update(b=2)\n    return x * by"),
        ("return x * by", "setattr(x, 'flag', True)\n    return x * by"),
        ("return x * by", "global SIZE\n    return x * by"),
        ("return x * by", "yield x * by"),
        ("# halves", "# x.flag = True"),
        ("return x * by", "return x.size // by"),
        ("import math\n", "__all__ = ['Block']\n"),
        ("def scaled", "def def scaled"),
    ],
)
def test_other_edits_may_change_anything(old: str, new: str) -> None:
    """Statements with effects, imports of the project, and what is searched for in whole files."""
    assert change(old, new) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[0].flag = True", "y[0].flag = True"),
        ("f(g(x)).flag = True", "x.flag = True"),
        ("model.head = nn.Identity()\n    other.head = x", "model.head = nn.Identity()\n    other = x"),
        ('setattr(\n        x, "flag", True)', 'setattr(\n        x, "other", True)'),
        ('if x == 1: TABLE["b"] = 2', 'if x == 1: OTHERS["b"] = 2'),
        ("model.parts.add(x)", "model.parts.append(x)"),
        ("for one in zip(parts): x = one", "for one in m.zip(parts): x = one"),
        ("import math; global SIZE", "import math"),
    ],
)
def test_what_is_searched_for_in_whole_files_may_be_written_in_many_ways(old: str, new: str) -> None:
    text = FILE.replace("return x * by", f"{old}\n    return x * by")
    assert change(old, new, text) is None


def test_an_item_that_only_the_module_sets_is_known() -> None:
    """A function that sets the same item makes the whole collection unknown."""
    text = FILE.replace("SIZE = 4\n", "SIZE = 4\nTABLE = {}\nTABLE['b'] = 2\n")
    assert change("return x * by", "TABLE['b'] = 2\n    return x * by", text) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# x: B, N, C", "# x: B, N"),
        ("# x: B N C", "# x: B C"),
        ("# tying the weights", "# the weights"),
        ("# shared", "# a comment"),
        ("# x: (B, N)\n    y = 1", "y = 1  # x: (B, N)"),
    ],
)
def test_comments_about_shapes_are_part_of_a_body(old: str, new: str) -> None:
    assert change(old, new, FILE.replace("# halves", old)) == (set(), {"scaled"})


def test_a_body_that_is_not_run_again_may_import_another_file_in_time() -> None:
    """What a new import leads to is recorded when it runs, so a file that appears later is noticed."""
    new = FILE.replace("import math\n", "import math\nimport later\n")
    assert change_of(FILE, new, resolve) is not None
    assert change_of(FILE, new, resolve, is_run=False) is None


def test_relative_imports_in_functions_count() -> None:
    """A file without any may be a script, whose folder is searched for absolute imports."""
    text = "# from .base import x\nimport a\n\ndef f():\n    from a import x\n    return x\n"
    assert change("    from a import x", "    from .a import x", text) is None


def test_an_order_counts() -> None:
    one, other = "def f():\n    return 1\n", "def g():\n    return 2\n"
    assert change_of(one + other, other + one, resolve) is None


def test_functions_of_one_name_are_several() -> None:
    read = "    @property\n    def x(self):\n        return 1\n"
    text = f"class A:\n{read}\n    @x.setter\n    def x(self, value):\n        return 2\n"
    assert change("return 1", "return 3", text) == (set(), {"A.x"})
    assert change("return 2", "return 3", text) == (set(), {"A.x#2"})
