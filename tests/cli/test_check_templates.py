"""Nothing is reported in a template, nor what is found by running one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main
from shapecheck.static.entry.checker import check as findings

HEADER = "# This file was automatically generated from net/template.py.\n"
BASE = """\
from torch import nn

class Base(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(8, width)
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(self.up(x))
"""
TEMPLATE = """\
import torch
from base import Base

Base(5)(torch.zeros(2, 8))
torch.zeros(2, 3) @ torch.zeros(2, 3)  # the template itself
x = 1  # shapecheck: ignore[wrong-call]
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "base.py").write_text(BASE)
    (tmp_path / "net").mkdir()
    (tmp_path / "net/template.py").write_text(TEMPLATE)
    (tmp_path / "net/model.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)


def places(*arguments: str) -> list[str]:
    """The path and line of each finding."""
    said = CliRunner().invoke(main, ["check", "--quiet", *arguments, "."]).stdout.splitlines()
    return sorted({":".join(line.split(":")[:2]) for line in said if ": note: " not in line})


EVERYTHING = ["base.py:10", "net/template.py:5", "net/template.py:6"]


@pytest.mark.parametrize("arguments", [("--no-cache",), ("--no-cache", "--jobs", "2")])
def test_nothing_is_reported_in_a_template_or_on_its_account(arguments: tuple[str, ...]) -> None:
    assert places(*arguments) == EVERYTHING
    Path("net/model.py").write_text(HEADER)
    assert places(*arguments) == []


def test_a_cached_result_follows_the_header_of_the_sibling() -> None:
    assert places() == EVERYTHING
    Path("net/model.py").write_text(HEADER)
    assert places() == []
    Path("net/model.py").write_text("x = 1\n")
    assert places() == EVERYTHING


def test_findings_in_the_generated_file_are_reported() -> None:
    Path("net/model.py").write_text(HEADER + TEMPLATE)
    assert places("--no-cache") == ["base.py:10", "net/model.py:6", "net/model.py:7"]


def test_a_template_that_does_not_parse_is_reported() -> None:
    Path("net/model.py").write_text(HEADER)
    Path("net/template.py").write_text("def f(:\n")
    assert places("--no-cache") == ["net/template.py:1"]


def test_the_function_check_reports_nothing_in_a_template() -> None:
    assert findings([Path.cwd()])
    Path("net/model.py").write_text(HEADER)
    assert findings([Path.cwd()]) == []


def test_stats_name_the_templates() -> None:
    Path("net/model.py").write_text(HEADER)
    said = CliRunner().invoke(main, ["check", "--stats", "."]).stdout
    assert "  net/template.py: nothing is reported, because it is a template\n" in said
