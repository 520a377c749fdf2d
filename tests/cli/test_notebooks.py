from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main

CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# title"]},
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["%matplotlib inline\n", "import torch"]},
    {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "source": ["w = torch.zeros(4, 5)\n", "torch.zeros(2, 3) @ w"],
    },
]


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = Path("a.ipynb")
    file.write_text(json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    return file


def test_findings_are_at_cells_and_their_lines(notebook: Path) -> None:
    result = CliRunner().invoke(main, ["check", "--quiet", "--no-cache", str(notebook)])
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert first.startswith("a.ipynb:cell 3:2:1: error: matmul: cannot multiply (2, 3) @ (4, 5)")
    assert second.startswith("a.ipynb:cell 3:1:5: note: w has shape (4, 5) from here")


def test_a_comment_in_a_cell_suppresses(notebook: Path) -> None:
    notebook.write_text(notebook.read_text().replace("@ w", "@ w  # shapecheck: ignore"))
    assert CliRunner().invoke(main, ["check", "--quiet", "--no-cache", str(notebook)]).stdout == ""


def test_a_file_that_is_no_notebook_is_reported(notebook: Path) -> None:
    notebook.write_text("{}")
    result = CliRunner().invoke(main, ["check", "--quiet", "--no-cache", str(notebook)])
    assert result.stdout.startswith("a.ipynb:1:1: error: not a notebook")
    assert result.exit_code == 2


@pytest.mark.parametrize("command", ["fix", "annotate"])
def test_notebooks_are_not_rewritten(notebook: Path, command: str) -> None:
    model = "from torch import nn, Tensor\nclass A(nn.Module):\n def forward(self, x: Tensor) -> Tensor:\n  return x"
    content = json.loads(notebook.read_text())
    content["cells"][1]["source"] = model
    notebook.write_text(json.dumps(content))
    before = notebook.read_bytes()
    assert CliRunner().invoke(main, [command, str(notebook)]).exit_code == 0
    assert notebook.read_bytes() == before


@pytest.mark.parametrize("command", ["check", "fix"])
def test_notebooks_in_directories_are_not_read(notebook: Path, command: str) -> None:
    assert CliRunner().invoke(main, [command, "--quiet", "."]).exit_code == 0
