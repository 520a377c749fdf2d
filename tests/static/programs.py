"""Small programs that begin with the usual imports."""

from __future__ import annotations

import textwrap
from pathlib import Path

from shapecheck.diagnostics import DEFAULT_CHECKS

CODES = set(DEFAULT_CHECKS) - {"unused-layer"}
"""The codes of small programs, which build layers that they do not apply."""
HEAD = """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from jaxtyping import Float
"""


def lines_of(folder: Path, source: str) -> tuple[Path, str]:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(source))
    return path, path.read_text()
