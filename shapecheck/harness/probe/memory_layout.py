"""The layout of a tensor in memory as text: only what differs from a contiguous tensor."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.runtime.describe import shape_text

_LAST = {4: ("channels_last", (0, 2, 3, 1)), 5: ("channels_last_3d", (0, 2, 3, 4, 1))}
"""The name of a memory format and its dimensions, outermost first, by rank."""


def layout_text(shape: Sequence[int], strides: Sequence[int]) -> str:
    """`channels_last`, `strides (1, 3)`, or nothing for a contiguous tensor; sizes of 1 may have any stride."""
    if _is_dense(shape, strides, range(len(shape))):
        return ""
    name, order = _LAST.get(len(shape), ("", ()))
    return name if name and _is_dense(shape, strides, order) else f"strides {shape_text(strides)}"


def _is_dense(shape: Sequence[int], strides: Sequence[int], order: Sequence[int]) -> bool:
    """Whether elements follow each other without gaps, with the dimensions in this order."""
    if 0 in shape:
        return True
    expected = 1
    for dimension in reversed(order):
        if shape[dimension] != 1:
            if strides[dimension] != expected:
                return False
            expected *= shape[dimension]
    return True
