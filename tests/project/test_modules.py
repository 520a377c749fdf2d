"""From module names to files: packages, folders without `__init__.py`, and relative imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.project.modules import Modules, above, dotted_name, in_folder, package_root


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("lone.py", "pkg/__init__.py", "pkg/module.py", "pkg/sub/__init__.py", "pkg/sub.py", "plain/inner.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


@pytest.mark.parametrize(
    ("dotted", "file"),
    [
        ("lone", "lone.py"),
        ("pkg", "pkg/__init__.py"),
        ("pkg.module", "pkg/module.py"),
        ("pkg.sub", "pkg/sub/__init__.py"),
        ("plain.inner", "plain/inner.py"),
        ("plain", None),
        ("pkg.missing", None),
        ("lone.missing", None),
        ("", None),
    ],
)
def test_a_package_comes_before_the_module_of_its_name(tree: Path, dotted: str, file: str | None) -> None:
    assert in_folder(tree, dotted) == (None if file is None else tree / file)


def test_an_empty_name_is_the_package_itself(tree: Path) -> None:
    assert in_folder(tree / "pkg", "") == tree / "pkg/__init__.py"


@pytest.mark.parametrize(("folder", "root"), [("pkg/sub", ""), ("pkg", ""), ("plain", "plain"), ("", "")])
def test_absolute_imports_start_above_the_outermost_package(tree: Path, folder: str, root: str) -> None:
    assert package_root(tree / folder) == tree / root


def test_a_relative_folder_leads_no_further_than_the_working_one(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree / "pkg" / "sub")
    assert package_root(Path()) == Path()
    assert in_folder(Path("../.."), "pkg.module") == Path("../../pkg/module.py")


def test_names_start_at_the_root(tree: Path) -> None:
    assert dotted_name(tree / "pkg/sub/__init__.py") == ("pkg.sub", True)
    assert dotted_name(tree / "plain/inner.py") == ("inner", False)


@pytest.mark.parametrize(("level", "folder"), [(1, "a/b/c"), (2, "a/b"), (4, ""), (5, None)])
def test_each_dot_after_the_first_is_one_folder_up(level: int, folder: str | None) -> None:
    top = Path(Path.cwd().anchor)
    assert above(str(top / "a/b/c"), level) == (None if folder is None else str(top / folder))


def test_the_file_system_is_asked_once_about_a_module(tree: Path) -> None:
    asked: list[str] = []

    def is_file(path: str) -> bool:
        asked.append(path)
        return Path(path).is_file()

    modules = Modules(is_file)
    found = [modules.below(str(tree), name) for name in ("lone", "missing") * 2]
    assert found == [str(tree / "lone.py"), None] * 2
    assert len(asked) == len(set(asked)) == 4
