"""Quick reports: what an edit is about runs again, and the rest keeps its results."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.config import Config
from shapecheck.lsp.messages import CheckRequest, Report
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.lsp.worker.report import report

PROGRAM = """\
import torch
from torch import nn

WIDTH = 8


def helper():
    return torch.zeros(2, WIDTH)


def broken():
    return torch.zeros(2, 3) @ torch.zeros(4, 5)


def user():
    return helper() @ torch.zeros(8, 3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        y = self.layer(x)
        return y
"""
EDITS = {
    "a comment above everything": ("import torch\n", "# a comment\n\nimport torch\n"),
    "a comment in a function": ("def broken():\n", "def broken():\n    # a comment\n"),
    "another result of a function": ("zeros(2, WIDTH)", "zeros(2, 9)"),
    "a constant": ("WIDTH = 8", "WIDTH = 7"),
    "a correction": ("torch.zeros(4, 5)", "torch.zeros(3, 5)"),
    "another layer": ("nn.Linear(4, 2)", "nn.Linear(6, 3)"),
    "a new function": ("class Net", "def more():\n    return torch.ones(2) @ torch.ones(3)\n\n\nclass Net"),
    "a function less": ("def broken():\n    return torch.zeros(2, 3) @ torch.zeros(4, 5)\n", ""),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EditedProject:
    monkeypatch.chdir(tmp_path)
    return EditedProject(Config(root=tmp_path))


def made(project: EditedProject, text: str, *, is_quick: bool) -> Report:
    path = Path.cwd() / "a.py"
    path.write_text(text)
    project.texts[path] = text.encode()
    return report(project, CheckRequest(1, str(path), is_quick))


@pytest.mark.parametrize("kind", EDITS)
def test_a_quick_report_is_that_of_a_complete_check(project: EditedProject, kind: str) -> None:
    before = made(project, PROGRAM, is_quick=False)
    assert [one.line for one in before.diagnostics] == [12]
    old, new = EDITS[kind]
    assert old in PROGRAM
    text = PROGRAM.replace(old, new, 1)
    quick = made(project, text, is_quick=True)
    fresh = made(EditedProject(project.config), text, is_quick=False)
    assert quick.diagnostics == fresh.diagnostics
    assert quick.hints == fresh.hints
    again = made(project, PROGRAM, is_quick=True)
    assert (again.diagnostics, again.hints) == (before.diagnostics, before.hints)


def test_findings_with_other_arguments_stay_until_the_complete_check(project: EditedProject) -> None:
    text = (
        "import torch\n\n\ndef f(flat=False):\n    x = torch.zeros(2, 3)\n    if flat:\n        x = x.flatten()\n"
        "    return x.softmax(1)\n"
    )
    before = made(project, text, is_quick=False)
    quick = made(project, "# a comment\n" + text, is_quick=True)
    assert [(one.line, one.code) for one in quick.diagnostics] == [
        (one.line + 1, one.code) for one in before.diagnostics
    ]
    assert before.diagnostics
