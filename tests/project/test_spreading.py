"""Which files may observe an edit of another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.project.cache import Cache, CacheContents
from shapecheck.static.entry.checker import Checker

TEXTS = {
    "base.py": """
import torch

SIZE = 4

def halved(x):
    return x[: len(x) // 2]

def unused(x):
    return x

def register(function):
    TABLE[function.__name__] = function
    return function

TABLE = {}

class Block(torch.nn.Module):
    def forward(self, x):
        return halved(x)

    def deploy(self):
        return self
""",
    "by_name.py": "from base import SIZE as WIDTH\nimport torch\n\ntorch.zeros(WIDTH)\n",
    "by_attribute.py": "import base\nimport torch\n\ndef made():\n    return torch.zeros(base.SIZE)\n\nmade()\n",
    "by_class.py": "import torch\nfrom base import Block\n\nBlock()(torch.zeros(4))\n",
    "by_subclass.py": "from base import Block\n\nclass Wide(Block):\n    pass\n",
    "through.py": "from base import *\n",
    "behind.py": "from through import unused\n\nunused(3)\n",
    "registered.py": "from base import register\n\n@register\ndef one(x):\n    return x\n",
    "of_registered.py": "import registered\n",
    "by_string.py": "import base\n\ngetattr(base, 'SIZE')\n",
    "by_open_code.py": "import base\n\ndef read(name):\n    return getattr(base, name)\n",
    "own_name.py": "import base\n\nSIZE = 3\n\ndef f(self):\n    return self.SIZE + SIZE\n",
    "inside.py": "def f():\n    from base import SIZE\n    return SIZE\n\nf()\n",
    "alone.py": "SIZE = 4\n",
}
OTHERS = TEXTS.keys() - {"base.py"}
OPEN = {"by_open_code.py"}
OF_REGISTERED = {"registered.py", "of_registered.py"}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return sorted(tmp_path / name for name in TEXTS)


def run_again(files: list[Path], edited: str, old: str, new: str) -> set[str]:
    """The other files that are checked again after an edit."""
    cache, checker = Cache(CacheContents(), files, []), Checker(files)
    for path in files:
        cache.add(checker.outcome(path, ()))
    path = files[0].parent / edited
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    now = Cache(cache.known(), files, [])
    return {one.name for one in files if now.outcome(one) is None} - {edited}


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("\nSIZE", "\n# a comment\n\nSIZE", set()),
        ("SIZE = 4", "SIZE = 5", {"by_name.py", "by_attribute.py", "by_string.py", "inside.py"} | OPEN),
        ("len(x) // 2", "len(x) // 3", {"by_class.py"}),
        ("def halved(x)", "def halved(x, y=1)", {"by_class.py", "by_subclass.py"} | OPEN),
        ("def unused(x):\n    return x\n", "", {"behind.py"} | OPEN),
        ("    return x\n", "    return x + 1\n", {"behind.py"}),
        ("\ndef unused", "\ndef added(x):\n    return x\n\ndef unused", OPEN),
        ("    return function\n", "    return str(function)\n", {"registered.py"}),
        ("def register(function)", "def register(function, more=1)", OF_REGISTERED | OPEN),
        ("        return self\n", "        return None\n", set()),
        ("        return self\n", "        self.fused = True\n", OTHERS - {"alone.py"}),
        ("SIZE = 4\n", "SIZE = 4\nprint(SIZE)\nunused(3)\n", OTHERS - {"alone.py"}),
        ("SIZE = 4\n", "SIZE = 4\nimport alone\n", OTHERS - {"alone.py"}),
        ("import torch\n", "import torch\nimport math\n", OPEN),
        ("import torch\n", "import torch (\n", OTHERS - {"alone.py"}),
    ],
)
def test_who_observes_an_edit(old: str, new: str, again: set[str], files: list[Path]) -> None:
    assert run_again(files, "base.py", old, new) == again


def test_a_registering_module_concerns_those_that_import_it(files: list[Path]) -> None:
    assert run_again(files, "registered.py", "def one(x)", "def one(x, y)") == {"of_registered.py"}
    assert run_again(files, "registered.py", "return x\n", "return 3\n") == {"of_registered.py"}


CIRCLE = {
    "first.py": """
class Base:
    def run(self, x):
        return self.part(x)

    def part(self, x):
        return x

from second import *
""",
    "second.py": "from first import Base\n\nclass Other(Base):\n    pass\n",
    "of_first.py": "from first import Base\n\nBase().run(3)\n",
}


def test_a_base_in_a_file_that_imports_its_subclasses_is_changed_with_them(files: list[Path]) -> None:
    for name, text in CIRCLE.items():
        (files[0].parent / name).write_text(text)
    every = sorted([*files, *(files[0].parent / name for name in CIRCLE)])
    override = "    def part(self, x):\n        return None\n"
    assert "of_first.py" in run_again(every, "second.py", "    pass\n", override)


def test_a_hook_of_a_base_runs_for_each_subclass(files: list[Path]) -> None:
    """It may fill a registry, which other files see that import the subclass for another reason."""
    hooked = files[0].parent / "hooked.py"
    hooked.write_text("NAMES = ['a']\n\nclass Base:\n    def __init_subclass__(cls):\n        NAMES.append(cls)\n")
    user, made = files[0].parent / "user.py", files[0].parent / "made.py"
    user.write_text("import made\nfrom hooked import NAMES\n\nlen(NAMES)\n")
    made.write_text("from hooked import Base\n\nSIZE = 3\n")
    every = sorted([*files, hooked, user, made])
    assert "user.py" not in run_again(every, "made.py", "SIZE = 3", "SIZE = 4")
    made.write_text("from hooked import Base\n\nSIZE = 3\n")
    assert "user.py" in run_again(every, "made.py", "SIZE = 3\n", "SIZE = 3\n\nclass New(Base):\n    pass\n")


def test_several_edits_at_once(files: list[Path]) -> None:
    (files[0].parent / "alone.py").write_text("SIZE = 5\n")
    assert run_again(files, "base.py", "SIZE = 4", "SIZE = 6") >= {"by_name.py"}


def test_a_file_with_findings_follows_all_that_it_imports(files: list[Path]) -> None:
    finding = "import torch\nimport base\n\ntorch.zeros(2) + torch.zeros(3)\n"
    (files[0].parent / "own_name.py").write_text(finding)
    assert run_again(files, "base.py", "\nSIZE", "\n# a comment\n\nSIZE") == {"own_name.py"}


def test_a_file_that_is_gone_concerns_those_that_import_it(files: list[Path]) -> None:
    cache, checker = Cache(CacheContents(), files, []), Checker(files)
    for path in files:
        cache.add(checker.outcome(path, ()))
    (files[0].parent / "base.py").unlink()
    left = [one for one in files if one.name != "base.py"]
    now = Cache(cache.known(), left, [])
    assert {one.name for one in left if now.outcome(one) is not None} == {"alone.py"}
