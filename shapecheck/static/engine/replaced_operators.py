"""Whether a running program replaces an operator, layer or method of torch."""

from __future__ import annotations

from shapecheck.static.engine.run import Run


def is_replaced(run: Run, name: str) -> bool:
    """Whether the file of the running code, or that of the entry point, assigns to what rules call by this name."""
    return name in run.loaded.patches or name in run.frames[0].names.loaded.patches
