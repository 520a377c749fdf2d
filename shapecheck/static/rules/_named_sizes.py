"""Sizes that an author has named."""

from __future__ import annotations

from shapecheck.spec import Dim, Size
from shapecheck.spec.dim import has_unnamed


def is_named(size: Size) -> bool:
    """Whether a size consists of names: not a number, and nothing of it is unknown."""
    return isinstance(size, Dim) and not has_unnamed(size)
