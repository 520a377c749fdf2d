"""VS Code, Neovim and others show what pyright's language server says; here a small editor asks it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("pyright")
pytest.importorskip("torch")

from shapecheck.stubs import find_torch, make_package, write

from .language_server import Server

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, int]:
        return x, 1


model = Net()
pair = model(torch.zeros(2))
scores = nn.Linear(2, 3)(torch.zeros(2))
wrong = model(torch.zeros(2), 1)
"""


def test_the_editor_shows_types_and_mistakes(tmp_path: Path) -> None:
    write(make_package(find_torch(None)), tmp_path / "typings")
    file = tmp_path / "net.py"
    file.write_text(NET)
    settings = {"python": {"pythonPath": sys.executable}}
    with Server([sys.executable, "-m", "pyright.langserver", "--stdio"], tmp_path, settings) as server:
        able = server.start()
        assert able["hoverProvider"]
        server.open(file)
        [found] = server.diagnostics(file)
        assert (found["range"]["start"]["line"], found["code"]) == (12, "reportCallIssue")
        assert server.hover(file, 11, 1) == "(variable) pair: tuple[Tensor, int]"
        assert server.hover(file, 12, 1) == "(variable) scores: Tensor"
