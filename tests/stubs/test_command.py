"""The command, on a torch of a few lines in a throwaway environment."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli.stubs import command

from .conftest import Environment, put_torch


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def stubs(*arguments: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(command, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_typings_there_and_back(environment: Environment, project: Path) -> None:
    result = stubs("--python", environment.python)
    assert "Wrote typings/torch-stubs for torch 9.9.0" in result.output
    assert "pyright" in result.output
    written = files(project)
    assert set(written) == {
        f"typings/torch-stubs/{n}" for n in ("py.typed", "nn/modules/module.pyi", "nn/parameter.pyi")
    }
    assert written["typings/torch-stubs/py.typed"] == b"partial\n"
    assert written["typings/torch-stubs/nn/parameter.pyi"].endswith(b"class Parameter: ...\n")
    assert "Removed typings/torch-stubs" in stubs("--remove").output
    assert list(project.iterdir()) == []
    assert "nothing to remove" in stubs("--remove").output


def test_environment_there_and_back(environment: Environment, project: Path) -> None:
    before = files(environment.site_packages)
    stubs("--python", environment.python, "--environment")
    assert set(files(environment.site_packages)) - set(before) >= {"torch-stubs/nn/modules/module.pyi"}
    assert list(project.iterdir()) == []
    stubs("--python", environment.python, "--environment", "--check")
    stubs("--python", environment.python, "--environment", "--remove")
    assert files(environment.site_packages) == before
    assert not (environment.site_packages / "torch-stubs").exists()


def test_check(environment: Environment, project: Path) -> None:
    python = ("--python", environment.python)
    assert "missing; run without --check to write it for torch" in stubs(*python, "--check", code=1).output
    stubs(*python)
    stubs(*python, "--check")
    stub = project / "typings/torch-stubs/nn/modules/module.pyi"
    stub.write_text(stub.read_text() + "x: int\n")
    assert "out of date" in stubs(*python, "--check", code=1).output
    assert stub.read_text().endswith("x: int\n")
    stubs(*python)
    stubs(*python, "--check")


def test_another_torch_replaces_the_stub_and_what_it_no_longer_has(environment: Environment, project: Path) -> None:
    stubs("--python", environment.python)
    torch = environment.site_packages / "torch"
    (torch / "nn" / "parameter.pyi").unlink()
    (torch / "version.py").write_text("__version__ = '9.10.0'\n")
    stubs("--python", environment.python, "--check", code=1)
    stubs("--python", environment.python)
    assert set(files(project)) == {f"typings/torch-stubs/{name}" for name in ("py.typed", "nn/modules/module.pyi")}


@pytest.mark.parametrize("option", ["--check", "--remove", None])
@pytest.mark.parametrize("name", ["__init__.pyi", "nn/modules/module.pyi"])
def test_a_foreign_package_is_left_alone(
    environment: Environment, project: Path, name: str, option: str | None
) -> None:
    foreign = project / "typings" / "torch-stubs" / name
    foreign.parent.mkdir(parents=True)
    foreign.write_text("class Module: ...\n")
    result = stubs("--python", environment.python, *([option] if option else []), code=2)
    assert "not written by shapecheck; remove it, or use another --dir" in result.output
    assert result.output.count("\n") == 1
    assert files(project) == {f"typings/torch-stubs/{name}": b"class Module: ...\n"}


def test_a_neighbours_stub_stays_and_keeps_the_marker(environment: Environment, project: Path) -> None:
    stubs("--python", environment.python)
    (project / "typings" / "other").mkdir()
    own = project / "typings" / "torch-stubs" / "own.pyi"
    own.write_text("x: int\n")
    stubs("--python", environment.python)
    stubs("--remove")
    assert set(files(project)) == {"typings/torch-stubs/own.pyi", "typings/torch-stubs/py.typed"}
    assert not (project / "typings" / "torch-stubs" / "nn").exists()


def test_no_torch(tmp_path: Path) -> None:
    bare = Environment(tmp_path / "bare")
    for options in ([], ["--environment"], ["--check"]):
        result = stubs("--python", bare.python, *options, code=2)
        assert result.output == f"shapecheck: {bare.python}: torch is not installed\n"


def test_no_torch_here_names_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(sys, "path_importer_cache", {})
    assert "--python" in stubs(code=2).output


def test_remove_needs_no_torch(environment: Environment, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stubs("--python", environment.python)
    monkeypatch.setattr(sys, "path", [])
    stubs("--remove")
    assert list(project.iterdir()) == []


def test_torch_here_is_found_and_not_imported(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_torch(tmp_path / "here")
    monkeypatch.syspath_prepend(tmp_path / "here")
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert "torch 9.9.0" in stubs().output
    assert "torch" not in sys.modules


def test_what_is_no_interpreter(tmp_path: Path) -> None:
    script = tmp_path / "not-python"
    script.write_text("hello")
    assert "not a working Python interpreter" in stubs("--python", script, code=2).output


def test_a_torch_of_another_make(environment: Environment) -> None:
    (environment.site_packages / "torch" / "nn" / "modules" / "module.py").write_text("x = 1\n")
    assert "no class Module with a forward" in stubs("--python", environment.python, code=2).output


def test_a_folder_that_cannot_be_written(environment: Environment, project: Path) -> None:
    (project / "file").write_text("")
    result = stubs("--python", environment.python, "--dir", "file/typings", code=2)
    assert result.output.count("\n") == 1


def test_check_and_remove_exclude_each_other() -> None:
    stubs("--check", "--remove", code=2)
