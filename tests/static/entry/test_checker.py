"""One file's findings depend on that file and what it imports, never on what else was run or in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.project.files import display_path
from shapecheck.static.entry.checker import Checker, check

_PROJECT = {
    "layers.py": """
        import torch
        from torch import nn
        from config import Config

        def head(width):
            return nn.Linear(width, 4)

        def apply(x):
            return head(8)(x)

        def alone():
            return torch.zeros(2) + torch.zeros(3)
    """,
    "config.py": """
        import layers

        class Config:
            width = 8

        def probe(x):
            return layers.head(Config.width)(x)
    """,
    "main.py": """
        import torch
        import layers
        from config import Config, probe

        def widen():
            Config.width = 16

        def good():
            return probe(torch.zeros(1, 8))

        def bad():
            return layers.apply(torch.zeros(1, 9))
    """,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in _PROJECT.items():
        (tmp_path / name).write_text("\n".join(line[8:] for line in text.splitlines()))
    return tmp_path


def _all(path: Path, first: str) -> set[tuple[str, int, str]]:
    checker = Checker([path])
    files = sorted(checker.project.files, key=lambda one: one.name != first)
    asked = {display_path(one) for one in files}
    return {(Path(d.path).name, d.line, d.message) for one in files for d in checker.findings(one, asked)}


@pytest.mark.parametrize("first", _PROJECT)
def test_the_order_of_files_changes_nothing(project: Path, first: str) -> None:
    found = _all(project, first)
    assert {(name, line) for name, line, _ in found} == {("layers.py", 10), ("layers.py", 13)}


def test_a_finding_in_a_file_that_is_not_asked_about_is_told_at_the_call(project: Path) -> None:
    (only,) = check([project / "main.py"])
    assert (Path(only.path).name, only.line, only.column) == ("main.py", 13, 12)
    assert [(Path(note.path).name, note.line) for note in only.notes][:1] == [("layers.py", 10)]


def test_what_one_function_changes_is_not_seen_by_the_next(project: Path) -> None:
    assert not [one for one in check([project]) if Path(one.path).name == "config.py"]


def test_a_finding_of_the_file_itself_comes_before_the_same_from_a_caller(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import b\n\ndef f():\n    return b.g()\n")
    (tmp_path / "b.py").write_text("import torch\n\ndef g():\n    return torch.zeros(2) + torch.zeros(3)\n")
    (only,) = check([tmp_path])
    assert (Path(only.path).name, only.notes) == ("b.py", ())


def test_an_import_in_a_branch_that_is_undone_still_runs_its_module(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text("from torch import nn\nhead = nn.Linear(8, 4)\n")
    (tmp_path / "main.py").write_text(
        "import torch\n\ndef f(flag):\n    if flag:\n        import late\n        return late.head\n    return None\n\n"
        "def g():\n    import late\n    return late.head(torch.zeros(1, 9))\n"
    )
    (only,) = check([tmp_path / "main.py"])
    assert only.line == 11


@pytest.mark.parametrize("order", [("amain.py", "mod.py"), ("zmain.py", "mod.py"), ("mod.py", "amain.py"), ("mod.py",)])
def test_a_module_first_imported_for_one_of_several_alternatives_runs_like_any_other(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    (tmp_path / "mod.py").write_text("def take(a):\n    return a\n\ntake(1, 2)\n")
    for name in {"amain.py", "zmain.py"} & set(order):
        (tmp_path / name).write_text(
            "def main(flag):\n    load = first if flag else second\n    return load(3)\n\n"
            "def first(n):\n    import mod\n    return n\n\ndef second(n):\n    import mod\n    return n + 1\n"
        )
    (only,) = check([tmp_path / name for name in order])
    assert (Path(only.path).name, only.line, only.code) == ("mod.py", 4, "wrong-call")
