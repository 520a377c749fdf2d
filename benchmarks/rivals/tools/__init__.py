"""The contestants: one small file each, named after the tool, with a `TOOL` or two."""

from __future__ import annotations

from benchmarks.rivals.tool import Tool
from benchmarks.rivals.tools import (
    jaxtyping_beartype,
    plain_python,
    pyrefly,
    pytest_torch,
    shapecheck,
    torchfix,
    torchshapeflow,
    torchtyc,
    torchtyping,
)

TOOLS: tuple[Tool, ...] = (
    shapecheck.CHECK,
    shapecheck.CHECKED,
    shapecheck.RUN,
    jaxtyping_beartype.TOOL,
    pyrefly.PLAIN,
    pyrefly.STUBS,
    pyrefly.DECORATED,
    torchtyc.TOOL,
    torchshapeflow.TOOL,
    torchfix.TOOL,
    pytest_torch.TOOL,
    torchtyping.TOOL,
    plain_python.TOOL,
)
