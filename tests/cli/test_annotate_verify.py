"""`annotate --verify`, in real processes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import forked

ODD = """\
import importlib

from torch import nn


class Odd(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        b, c = x.shape
        return self.fc(x)


importlib.import_module("changes")
"""
CHANGES = """\
from torch import nn

original = nn.Linear.forward
setattr(nn.Linear, "forward", lambda self, x: original(self, x)[:, :1])
"""
"""Something that no analysis of the other file sees."""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "changes.py").write_text(CHANGES)
    (tmp_path / "odd.py").write_text(ODD)
    return tmp_path / "odd.py"


def annotate(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [forked.python(), "-m", "shapecheck", "annotate", "--verify", "--jobs", "1", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_a_run_contradicts_is_dropped_with_the_reason(file: Path) -> None:
    done = annotate("odd.py")
    assert done.returncode == 0, done.stderr
    assert "Ran 1 model to verify the annotations\n" in done.stderr
    why = 'return: expected dimension 1 ("2") to be 2, got 1, in a run of odd:Odd'
    assert f"  odd.py:11: Odd.forward: {why}\n" in done.stderr
    assert 'def forward(self, x: Float[Tensor, "b 4"]):' in file.read_text()


def test_what_the_run_confirms_is_written(file: Path) -> None:
    (file.parent / "changes.py").write_text("")
    annotate("odd.py")
    assert 'def forward(self, x: Float[Tensor, "b 4"]) -> Float[Tensor, "b 2"]:' in file.read_text()


def test_files_without_models_are_not_imported(file: Path) -> None:
    script = file.with_name("script.py")
    script.write_text("import torch\n\ndef f(x: torch.Tensor):\n    b, c = x.shape\n    return x\n\nopen('ran', 'w')\n")
    annotate("script.py")
    assert "Shaped[" in script.read_text()
    assert not Path("ran").exists()


def test_standard_input_cannot_be_run(file: Path) -> None:
    done = annotate("-")
    assert (done.returncode, "--verify cannot be used with standard input" in done.stderr) == (2, True)
