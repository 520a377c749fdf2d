"""`shapecheck run` on files whose names other modules have."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main

NET = """\
from jaxtyping import Float
from torch import Tensor, nn

class Net(nn.Module):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        return x
"""
WRONG_RESULT = "src/score.py:6:9: error: Net.forward(return): expected dimension 1"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(target: str) -> Result:
    return CliRunner().invoke(main, ["run", "--quiet", "--check", "contract", target])


@pytest.mark.parametrize("target", ["src/score.py", "src"])
def test_a_file_of_that_name_in_the_working_directory_is_not_run(project: Path, target: str) -> None:
    (project / "score.py").write_text("raise ValueError('this is another file')\n")
    (project / "src" / "score.py").write_text(NET)
    result = run(target)
    assert result.exit_code == 1
    assert result.stdout.startswith(WRONG_RESULT)


def test_a_file_with_the_name_of_a_loaded_module_of_python_is_refused(project: Path) -> None:
    (project / "src" / "queue.py").write_text(NET)
    result = run("src/queue.py")
    assert result.exit_code == 2
    assert result.stdout == (
        "src/queue.py:1:1: error: cannot import: ImportError: another module has the name queue; rename the file, "
        "or move it into a package [failed-import]\n"
    )
