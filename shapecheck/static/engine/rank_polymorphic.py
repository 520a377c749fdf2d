"""Operators whose tensor arguments must have exact ranks."""

from __future__ import annotations

_MATRICES = (2, 2)
_BATCHES = (3, 3)
EXACT_RANKS: dict[str, tuple[int | None, ...]] = {
    "mm": _MATRICES,
    "bmm": _BATCHES,
    "addmm": (None, *_MATRICES),
    "addbmm": (None, *_BATCHES),
    "baddbmm": (None, *_BATCHES),
    "mv": (2, 1),
    "dot": (1, 1),
    "vdot": (1, 1),
    "outer": (1, 1),
    "t": (2,),
    "ger": (1, 1),
    "nms": (2, 1),
    "roi_align": (4,),
}
"""The ranks by argument; None if any rank is accepted."""

USUAL_RANKS: dict[str, tuple[int | None, ...]] = {"T": (2,)}
"""The usual ranks of operators that deprecate others. They prove nothing: they are for an observer alone."""

ALL_TENSORS = frozenset("matmul einsum tensordot cdist".split())
"""Operators whose positional arguments, or the items of lists among them, are tensors, except strings and numbers."""

IN_SEQUENCE = frozenset("cat concat concatenate stack hstack vstack dstack pack".split())
"""Operators whose first argument is a list or a tuple of tensors, never a tensor."""
