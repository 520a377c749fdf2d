"""`shapecheck check` next to installed libraries: which environment it reads, and when it reads it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main
from tests.static.libraries.programs import install

PROGRAM = """\
import nets
import torch
from torch import nn

nn.Linear(8, 2)(nets.functional.pooled(torch.zeros(2, 3, 4, 4)))
"""
MISMATCH = "expected the last dimension of the input to be 8, got 3"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without an active environment."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text("[tool.shapecheck]\n")
    (root / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(root)
    return root


def environment(path: Path) -> Path:
    install(path / "lib/python3.12/site-packages")
    (path / "pyvenv.cfg").write_text("home = /none\n")
    return path


def output(*options: str) -> str:
    return CliRunner().invoke(main, ["check", "program.py", *options]).output


def test_libraries_of_the_environment_next_to_the_project_are_read_unless_an_option_disables_it(project: Path) -> None:
    assert MISMATCH not in output()
    environment(project / ".venv")
    assert MISMATCH in output()
    assert MISMATCH not in output("--no-site-packages")


def test_an_option_or_the_configuration_names_the_environment(project: Path) -> None:
    environment(project.parent / "other")
    assert MISMATCH in output("--python", "../other")
    (project / "pyproject.toml").write_text("[tool.shapecheck.check]\npython = '../other'\n")
    assert MISMATCH in output()
    (project / "pyproject.toml").write_text("[tool.shapecheck.check]\npython = '../other'\nsite-packages = false\n")
    assert MISMATCH not in output()


def test_a_path_that_is_no_environment_is_an_error(project: Path) -> None:
    result = CliRunner().invoke(main, ["check", "program.py", "--python", "missing"])
    assert result.exit_code == 2
    assert "--python: expected an environment or its interpreter, got missing" in result.output


def test_the_cache_notices_a_library_that_is_installed_upgraded_or_removed(project: Path) -> None:
    site = project / ".venv/lib/python3.12/site-packages"
    (site / "other").mkdir(parents=True)
    (project / ".venv/pyvenv.cfg").write_text("home = /none\n")
    assert MISMATCH not in output()
    install(site)
    assert MISMATCH in output()
    assert "1 from the cache" in output()
    file = site / "nets/functional.py"
    file.write_text(file.read_text().replace("x.mean((2, 3), keepdim=keep)", "torch.zeros(2, 8)"))
    assert MISMATCH not in output()
    file.unlink()
    assert MISMATCH not in output()
