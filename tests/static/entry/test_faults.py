"""An unforeseen exception costs one entry point, and is reported in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static.engine.dispatch import EXPRESSIONS
from shapecheck.static.entry import checker

PROGRAM = """\
import torch

def first():
    return {1: 2}

def second():
    return torch.zeros(2, 3) @ torch.zeros(2, 3)
"""


def _fails(*_: object) -> None:
    raise ZeroDivisionError("one\ntwo")


def test_the_other_entry_points_are_analyzed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    monkeypatch.setitem(EXPRESSIONS, __import__("ast").Dict, _fails)
    found = checker.check([program])
    assert [(one.line, one.code) for one in found] == [(3, "internal-error"), (7, "shape-mismatch")]
    assert found[0].message == "ZeroDivisionError: one"


def test_an_exception_outside_of_entry_points_is_reported_for_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    monkeypatch.setattr(checker, "run_file", _fails)
    (found,) = checker.check([program])
    assert (found.line, found.code, found.message) == (1, "internal-error", "ZeroDivisionError: one")
