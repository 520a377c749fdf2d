"""Checks a small program for what one rule reports."""

from __future__ import annotations

import textwrap
from collections.abc import Collection
from pathlib import Path

from shapecheck.diagnostics import CHECKS
from shapecheck.static import check

HEAD = """\
import copy
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn
"""


def reported(folder: Path, source: str, *, besides: Collection[str] = ()) -> list[tuple[int, str, str]]:
    """Line, code and message of everything that is found with every rule asked but two, or those among `besides`.

    Small programs build layers that they do not apply.
    """
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(source))
    codes = set(CHECKS) - {"tensor-core-size", "unused-layer"} | {*besides}
    return [(one.line, one.code, one.message) for one in check([path], codes=codes)]


def place(source: str) -> int:
    """The line that ends in `# HERE`."""
    lines = (HEAD + textwrap.dedent(source)).splitlines()
    (line,) = (number for number, content in enumerate(lines, 1) if content.endswith("# HERE"))
    return line
