"""`pytest -m quick` has tests of every package, and the files that take longest are those that there are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests import order, quick

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "shapecheck"
MODULES = {f"shapecheck.{path.stem}" for path in PACKAGE.glob("*.py") if not path.stem.startswith("_")}
PACKAGES = {".".join(path.parent.relative_to(ROOT).parts) for path in PACKAGE.rglob("__init__.py")}
ENTRIES = sorted({entry for entries in quick.TESTS.values() for entry in entries})


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_package_has_quick_tests() -> None:
    assert set(quick.TESTS) == MODULES | PACKAGES
    assert all(quick.TESTS.values())


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_has_tests(entry: str) -> None:
    file, _, name = entry.partition("::")
    path = quick.HERE / file
    files = [path] if path.suffix == ".py" else sorted(path.rglob("test_*.py"))
    found = {function for one in files for function in functions(one) if function.startswith("test_")}
    assert name in found if name else found


@pytest.mark.parametrize(
    ("file", "function", "is_quick"),
    [
        ("config/test_load.py", "test_any", True),
        ("static/models/nn/test_methods.py", "test_any", True),
        ("mypy/test_findings.py", "test_what_the_source_asks_to_be_told_is_a_note", True),
        ("mypy/test_findings.py", "test_every_command_of_the_daemon", False),
        ("mypy/test_processes.py", "test_daemon", False),
        ("configuration/test_load.py", "test_any", False),
    ],
)
def test_what_is_quick(file: str, function: str, is_quick: bool) -> None:
    assert quick.is_quick(quick.HERE / file, function) is is_quick


def test_this_file_is_quick_and_is_read(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker(quick.MARKER)
    assert quick.is_read(Path(__file__))
    assert not quick.is_read(quick.HERE / "mypy/test_processes.py")


def test_the_longest_files_exist_and_start_first() -> None:
    assert [path for path in order.PLACES if not path.is_file()] == []
    assert order.place(quick.HERE / order.LONGEST[0]) < order.place(quick.HERE / order.LONGEST[-1])
    assert order.place(quick.HERE / order.LONGEST[-1]) < order.place(Path(__file__))
