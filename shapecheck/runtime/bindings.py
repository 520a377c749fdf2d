"""`print_bindings`: the sizes that the names of the running call are bound to."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from shapecheck.runtime.build import WRITTEN
from shapecheck.runtime.write import LEARNT


def bindings() -> dict[str, Any]:
    """By axis, `b` or `*batch`, what the innermost checked function that is running has bound. Empty outside one."""
    return _of(sys._getframe(1))


def print_bindings() -> None:
    """Prints the sizes of the innermost checked function that is running, for debugging."""
    found = _of(sys._getframe(1))
    lines = [f"{axis}={size}" for axis, size in found.items()]
    print("\n".join(["The sizes of this call:", *lines] if lines else ["No sizes are bound here."]))  # noqa: T201 - what it is for


def _of(frame: FrameType | None) -> dict[str, Any]:
    # The generated function keeps them in its local variables, and waits further out for the one that asks.
    while frame is not None:
        written = WRITTEN.get(frame.f_code)
        if written is not None:
            return _sizes(written.variables, frame.f_locals)
        frame = frame.f_back
    return {}


def _sizes(variables: dict[str, str], held: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    learnt = held.get(variables.get(LEARNT, ""), {})
    for axis in dict.fromkeys((*variables, *learnt)):
        if axis.startswith("{") or axis == LEARNT:
            continue
        size = learnt.get(axis, held.get(variables.get(axis, "")))
        if size is not None:
            joined = isinstance(size, tuple) and len(size) == 2 and isinstance(size[0], bool)
            found[axis] = tuple(size[1] if joined else size) if axis.startswith("*") else size
    return found
