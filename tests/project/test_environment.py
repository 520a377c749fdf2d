"""Which environment counts as installed next to a project."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shapecheck.project.environment import installed_libraries, libraries_of


def environment(root: Path, *, config: str = "home = /none\n", version: str = "3.12") -> Path:
    """The site-packages of a new virtual environment."""
    packages = root / "lib" / f"python{version}" / "site-packages"
    packages.mkdir(parents=True)
    (root / "bin").mkdir(exist_ok=True)
    (root / "bin/python").write_text("")
    (root / "pyvenv.cfg").write_text(config)
    return packages


@pytest.fixture(autouse=True)
def without_active_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)


def test_the_named_environment_comes_first_then_the_active_one_then_that_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, active, own = (environment(tmp_path / name) for name in ("named", "active", "project/.venv"))
    project = tmp_path / "project"
    assert installed_libraries(None, project) == [own]
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
    assert installed_libraries(None, project) == [active]
    assert installed_libraries(tmp_path / "named", project) == [named]


def test_an_active_environment_without_libraries_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment(tmp_path / ".venv")
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "empty"))
    assert installed_libraries(None, tmp_path) == []


def test_without_an_environment_it_is_that_of_the_running_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = environment(tmp_path / "python")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(packages)])
    assert installed_libraries(None, tmp_path / "project") == [packages]


def test_an_interpreter_names_its_environment_and_a_directory_of_libraries_itself(tmp_path: Path) -> None:
    packages = environment(tmp_path / "env")
    assert libraries_of(tmp_path / "env/bin/python") == [packages]
    assert libraries_of(packages) == [packages]
    target = tmp_path / "target"
    (target / "lib-1.0.dist-info").mkdir(parents=True)
    assert libraries_of(target) == [target]
    assert libraries_of(tmp_path / "env/../target") == [target]
    assert libraries_of(tmp_path / "missing") == []


def test_the_newest_python_and_the_libraries_of_the_system_if_they_are_included(tmp_path: Path) -> None:
    system = environment(tmp_path / "system")
    config = f"home = {tmp_path / 'system/bin'}\ninclude-system-site-packages = true\n"
    old = environment(tmp_path / "env", config=config, version="3.9")
    new = environment(tmp_path / "env", config=config, version="3.12")
    assert libraries_of(tmp_path / "env") == [new, old, system]
