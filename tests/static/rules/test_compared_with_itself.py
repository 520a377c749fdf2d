"""constant-comparison: a property that is compared with itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import place, reported

PROGRAM = """
def function(a, b, index):
    {}  # HERE
"""
FOUND = {
    "assert a.ndim == a.ndim == 2": "`a.ndim == a.ndim` is always true; compare two different tensors",
    "assert a.shape[1] == a.shape[1]": "`a.shape[1] == a.shape[1]` is always true; compare two different tensors",
    "return a.shape[:2] != a.shape[:2]": "`a.shape[:2] != a.shape[:2]` is always false; compare two different tensors",
    "return a.size(0) != a.size(0)": "`a.size(0) != a.size(0)` is always false; compare two different tensors",
    "return len(a.shape) == len(a.shape)": (
        "`len(a.shape) == len(a.shape)` is always true; compare two different tensors"
    ),
    "return a.mask.dtype == a.mask.dtype": (
        "`a.mask.dtype == a.mask.dtype` is always true; compare two different tensors"
    ),
}
QUIET = [
    "return a.shape[0] == a.shape[1]",
    "return a.shape == b.shape",
    "return a.ndim == b.ndim == 2",
    "return a != a",
    "return a.pop().shape == a.pop().shape",
    "return a.shape[next(index)] == a.shape[next(index)]",
    "return len(a) == len(a)",
    "return a.shape is a.shape",
]


@pytest.mark.parametrize(("statement", "message"), FOUND.items(), ids=FOUND)
def test_found(tmp_path: Path, statement: str, message: str) -> None:
    source = PROGRAM.format(statement)
    assert reported(tmp_path, source) == [(place(source), "constant-comparison", message)]


@pytest.mark.parametrize("statement", QUIET)
def test_quiet(tmp_path: Path, statement: str) -> None:
    assert reported(tmp_path, PROGRAM.format(statement)) == []
