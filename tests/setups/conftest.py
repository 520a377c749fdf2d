"""What the set-ups have in common: our command as a process, and a project with one mistake."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
HEAD = """\
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, hidden: int = 256) -> None:
        super().__init__()
        self.up = nn.Linear(64, hidden)
        self.out = nn.Linear(128, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.up(x))


scores = Head()(torch.zeros(8, 64))
"""
"""Line 12 has the mistake, from column 16 to 35; lines 9, 6 and 15 are in its notes."""
GOOD = HEAD.replace("nn.Linear(128, 10)", "nn.Linear(hidden, 10)")
MESSAGE = "Linear: expected the last dimension of the input to be 128, got 256 (weight of shape (10, 128))"


def shapecheck(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command, in a process whose environment has no wishes about colour and knows of no CI service."""
    unwanted = ("FORCE_COLOR", "NO_COLOR", "GITHUB_WORKSPACE")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment |= {"PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(
        [sys.executable, "-m", "shapecheck", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a model whose layers do not fit."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[tool.mypy]\nplugins = ["shapecheck.mypy"]\n')
    (folder / "head.py").write_text(HEAD)
    return folder
