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


MODEL = """\
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x"""
WITH_CALL = f"""\
{MODEL}

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ..."""


@pytest.fixture
def model(notebook: Path) -> Path:
    """A notebook with a class between others, and outputs that another program would write differently."""
    cells = [
        *CELLS,
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["from torch import Tensor, nn\n", "!ls"]},
        {"cell_type": "code", "outputs": [{"data": {"text/plain": "caf\u00e9 1.50e+03"}}], "source": MODEL},
        {"cell_type": "code", "metadata": {"tags": []}, "outputs": [], "source": ["%time net = Net()"]},
    ]
    notebook.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1).replace("1.50", "1.5\\u0030")
    )
    return notebook


def sources(notebook: Path) -> list[str]:
    return ["".join(one["source"]) for one in json.loads(notebook.read_text())["cells"]]


def test_fix_changes_cells_and_no_other_byte(model: Path) -> None:
    before, old = model.read_text(), sources(model)
    assert CliRunner().invoke(main, ["fix", str(model)]).exit_code == 0
    imports = "from typing import TYPE_CHECKING\n\n"
    assert sources(model) == [old[0], f"%matplotlib inline\n{imports}import torch", *old[2:4], WITH_CALL, old[5]]
    after = model.read_text().replace(json.dumps(WITH_CALL), json.dumps(MODEL))
    line = '    "from typing import TYPE_CHECKING\\n",\n    "\\n",\n'
    assert after.count(line) == 1
    assert after.replace(line, "") == before


def test_fix_is_done_after_one_run(model: Path) -> None:
    CliRunner().invoke(main, ["fix", str(model)])
    after = model.read_bytes()
    result = CliRunner().invoke(main, ["fix", "--check", str(model)])
    assert (result.exit_code, model.read_bytes()) == (0, after)


def test_what_would_change_is_shown_by_cell(model: Path) -> None:
    before = model.read_bytes()
    result = CliRunner().invoke(main, ["fix", "--diff", "--quiet", str(model)])
    assert result.exit_code == 1
    assert "--- a.ipynb:cell 5\n+++ a.ipynb:cell 5\n@@ -1,3 +1,7 @@\n class Net(nn.Module):\n" in result.stdout
    result = CliRunner().invoke(main, ["fix", "--check", "--quiet", str(model)])
    assert result.stdout.startswith("a.ipynb:cell 5:1:1: warning: calling Net returns Any")
    assert (result.exit_code, model.read_bytes()) == (1, before)


def test_what_is_left_is_at_its_cell_although_others_have_grown(model: Path) -> None:
    model.write_text(model.read_text().replace("%time net = Net()", "%time\\nsome.forward(1)"))
    result = CliRunner().invoke(main, ["fix", "--quiet", str(model)])
    assert result.stdout.startswith("a.ipynb:cell 6:2:1: note: if some is a module, some.forward() skips hooks")


def test_annotate_does_not_rewrite_notebooks(model: Path) -> None:
    before = model.read_bytes()
    assert CliRunner().invoke(main, ["annotate", str(model)]).exit_code == 0
    assert model.read_bytes() == before


@pytest.mark.parametrize("command", ["check", "fix"])
def test_notebooks_in_directories_are_found(model: Path, command: str) -> None:
    result = CliRunner().invoke(main, [command, "--quiet", *(["--check"] if command == "fix" else ["--no-cache"]), "."])
    assert result.exit_code == 1
    assert "a.ipynb:cell" in result.stdout


@pytest.mark.parametrize("command", ["check", "fix"])
def test_a_syntax_error_is_at_its_cell(model: Path, command: str) -> None:
    model.write_text(model.read_text().replace("@ w", "@ ("))
    before = model.read_bytes()
    result = CliRunner().invoke(main, [command, "--quiet", str(model)])
    assert result.exit_code != 0
    assert result.stdout.startswith("a.ipynb:cell 3:2:21: error: ")
    assert model.read_bytes() == before


@pytest.mark.parametrize("metadata", [{"kernelspec": {"language": "R"}}, {"language_info": {"name": "julia"}}])
def test_notebooks_of_other_languages_have_no_python(notebook: Path, metadata: dict[str, object]) -> None:
    content = json.loads(notebook.read_text())
    notebook.write_text(json.dumps({**content, "metadata": metadata}))
    assert CliRunner().invoke(main, ["check", "--quiet", "--no-cache", "."]).exit_code == 0


def test_a_notebook_before_version_4_says_how_to_convert_it(notebook: Path) -> None:
    notebook.write_text(json.dumps({"worksheets": [], "nbformat": 3}))
    result = CliRunner().invoke(main, ["check", "--quiet", "--no-cache", str(notebook)])
    assert result.exit_code == 2
    assert "before version 4 are not supported; run `jupyter nbconvert --to notebook`" in result.stdout
