"""In which files of a repository a name occurs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shapecheck.project.identifiers import Identifiers, root_of


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    package = tmp_path / "pkg" / "models"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").write_text("")
    (package / "net.py").write_text("class Net:\n    def f(self):\n        return self.scaling\n")
    (tmp_path / "train.py").write_text("model.scaling_factor = 1  # not rescaling\n")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "other.py").write_text("scaling = 1\n")
    return tmp_path


def test_whole_words_of_files_that_belong_to_the_project(repository: Path) -> None:
    names = Identifiers(repository, Path.read_bytes)
    assert names.is_searchable
    assert names.files_with("scaling") == {repository / "pkg/models/net.py"}
    assert names.files_with("scaling_factor") == {repository / "train.py"}
    assert names.files_with("scal") == frozenset()


def test_each_name_is_searched_once(repository: Path) -> None:
    read: list[Path] = []
    names = Identifiers(repository, lambda path: read.append(path) or path.read_bytes())  # type: ignore[func-returns-value]
    names.files_with("scaling")
    once = len(read)
    names.files_with("scaling")
    assert len(read) == once > 0


def test_a_file_that_cannot_be_read_may_have_any_name(repository: Path) -> None:
    def content(path: Path) -> bytes:
        raise PermissionError(path)

    assert repository / "train.py" in Identifiers(repository, content).files_with("anything")


def test_facts_of_the_files_with_a_name_are_found_once(repository: Path) -> None:
    (repository / "broken.py").write_text("scaling = = 1\n")
    parsed: list[ast.Module] = []

    def kinds(tree: ast.Module) -> frozenset[str]:
        parsed.append(tree)
        return frozenset(type(one).__name__ for one in tree.body)

    names = Identifiers(repository, Path.read_bytes)
    found = {
        repository / "pkg/models/net.py": {"ClassDef"},
        repository / "train.py": {"Assign"},
        repository / "broken.py": set(),
    }
    assert names.facts(["scaling", "model"], kinds) == found
    assert names.facts(["scaling", "model"], kinds) == found
    assert len(parsed) == 2


def test_the_root_is_that_of_the_repository_or_else_of_the_package(repository: Path) -> None:
    file = repository / "pkg" / "models" / "net.py"
    assert root_of(file) == repository
    (repository / "pyproject.toml").unlink()
    assert root_of(file) == repository / "pkg"
    assert root_of(repository / "train.py") == repository


def test_without_files_nothing_can_be_searched(tmp_path: Path) -> None:
    assert not Identifiers(tmp_path, Path.read_bytes).is_searchable
