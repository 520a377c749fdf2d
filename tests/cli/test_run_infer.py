"""`shapecheck run` on models without annotations, in real processes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import forked

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width, classes=3):
        super().__init__()
        self.inner = nn.Linear(width, classes)

    def forward(self, x):
        b, d = x.shape
        return self.inner(x){}
"""
CONFIGURED = """\
from dataclasses import dataclass

from torch import nn


@dataclass
class NetConfig:
    width: int = 6


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.inner = nn.Linear(config.width, 2)

    def forward(self, x):
        return self.inner(x)
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "net.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [forked.python(), "-m", "shapecheck", "run", "--skip", "compiled,fake", *arguments, "net.py"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def report(*arguments: str) -> Any:
    run("--infer", "--output", "report.json", *arguments)
    return json.loads(Path("report.json").read_text())


def test_a_note_says_what_annotate_would_write(file: Path) -> None:
    file.write_text(NET.format(""))
    done = run()
    assert done.returncode == 0
    assert done.stderr == (
        "note: 1 model without shape annotations; `shapecheck annotate --only forward net.py` would annotate "
        '1 function, such as Net.forward(x: Float[Tensor, "b {self.inner.in_features}"]);\n'
        "note: `shapecheck run --infer` runs them without writing\n"
    ).replace("Float[Tensor", "Float[torch.Tensor")
    assert file.read_text() == NET.format("")


@pytest.mark.parametrize("text", [NET.format(""), CONFIGURED])
def test_an_unannotated_model_is_run(file: Path, text: str) -> None:
    file.write_text(text)
    content = report()
    assert [case["outcome"] for case in content["cases"]] == ["passed"]
    assert content["diagnostics"] == []
    assert file.read_text() == text


def test_a_mistake_is_found_at_its_line(file: Path) -> None:
    file.write_text(NET.format(".softmax(0)"))
    (found,) = report()["diagnostics"]
    assert (found["code"], found["line"]) == ("batch-dependence", 12)


def test_what_the_run_contradicts_is_dropped_and_no_finding(file: Path) -> None:
    """The sizes of a table that only the run knows: the annotation from the source is too general."""
    text = CONFIGURED.replace("return self.inner(x)", "return self.inner(x).view(5, -1)")
    file.write_text(text)
    assert [one for one in report()["diagnostics"] if one["severity"] != "note"] == []


def test_annotated_models_have_no_note(file: Path) -> None:
    annotated = NET.format("").replace("(self, x)", '(self, x: Float[torch.Tensor, "b d"])')
    file.write_text(annotated.replace("import torch\n", "import torch\nfrom jaxtyping import Float\n", 1))
    assert run("--list").stderr == ""
