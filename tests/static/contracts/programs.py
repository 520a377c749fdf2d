"""Annotated programs for the tests of contracts: checked by shapecheck, and run under jaxtyping and beartype."""

from __future__ import annotations

import importlib
import itertools
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from shapecheck.diagnostics import Diagnostic
from shapecheck.static import check

HEAD = """\
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Optional, Union

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from jaxtyping import Bool, Float, Int
"""
_numbers = itertools.count()


def written(folder: Path, program: str, others: Mapping[str, str] | None = None) -> Path:
    """The program as a file, beside the other files that it imports."""
    for name, text in (others or {}).items():
        (folder / name).write_text(textwrap.dedent(text))
    path = folder / f"program_{next(_numbers)}.py"
    path.write_text(HEAD + textwrap.dedent(program))
    return path


def line_of(path: Path) -> int:
    """The line that is marked with HERE."""
    return 1 + path.read_text().split("# HERE")[0].count("\n")


def assert_found(folder: Path, program: str, code: str, message: str, others: Mapping[str, str] | None = None) -> None:
    """One finding, on the marked line."""
    path = written(folder, program, others)
    found = check([path])
    assert [(one.line, one.code) for one in found] == [(line_of(path), code)], shown(found)
    assert message in found[0].message


def assert_quiet(folder: Path, program: str, others: Mapping[str, str] | None = None) -> None:
    """No finding."""
    path = written(folder, program, others)
    assert check([path]) == [], shown(check([path]))


def shown(found: list[Diagnostic]) -> list[str]:
    return [f"{one.line}: {one.message} [{one.code}]" for one in found]


def run_typechecked(folder: Path, program: str, others: Mapping[str, str] | None = None) -> None:
    """Runs the program's main() with every function checked by jaxtyping and beartype."""
    jaxtyping = pytest.importorskip("jaxtyping")
    pytest.importorskip("beartype")
    pytest.importorskip("torch")
    path = written(folder, program, others)
    modules = [path.stem, *(Path(name).stem for name in others or {})]
    sys.path.insert(0, str(folder))
    try:
        with jaxtyping.install_import_hook(modules, "beartype.beartype"):
            importlib.import_module(path.stem).main()
    finally:
        sys.path.remove(str(folder))
        for name in modules:
            sys.modules.pop(name, None)
