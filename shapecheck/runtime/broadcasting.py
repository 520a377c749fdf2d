"""`*#x`: the axes that several tensors broadcast to, as jaxtyping joins them."""

from __future__ import annotations

from collections.abc import Sequence

Joined = tuple[bool, tuple[int, ...]]
"""Whether it is only what they broadcast to, and the axes."""


def broadcast_run(before: Joined | None, broadcasting: bool, shape: Sequence[int]) -> Joined | None:
    """The run after one more tensor, None if they do not broadcast."""
    new = tuple(shape)
    if before is None:
        return broadcasting, new
    free, bound = before
    if not free and not broadcasting:
        return before if new == bound else None
    together = _together(new, bound)
    if together is None or (not free and together != bound) or (free and not broadcasting and together != new):
        return None
    return before if not free else (broadcasting, together)


def _together(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...] | None:
    long, short = (left, right) if len(left) >= len(right) else (right, left)
    cut = len(long) - len(short)
    sizes = list(long[:cut])
    for one, other in zip(long[cut:], short, strict=True):
        if one not in (other, 1) and other != 1:
            return None
        sizes.append(other if one == 1 else one)
    return tuple(sizes)
