"""Checks small programs; those that must be silent are executed too."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from shapecheck.static import check

HEAD = """\
import abc
import functools
import torch
import torch.nn.functional as F
from collections import namedtuple
from typing import Generic, NamedTuple, Protocol, TypeVar
from torch import nn

T = TypeVar("T")
x = torch.rand(2, 4)
"""


def findings(folder: Path, source: str) -> list[str]:
    """The messages about a program, each with its code."""
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(source))
    return [f"{one.message} [{one.code}]" for one in check([path])]


def execute(source: str) -> None:
    """Runs a program."""
    made: dict[str, Any] = {"__name__": __name__}
    exec(HEAD + textwrap.dedent(source), made)
