"""Ways to assume arguments. Sizes that exclude each other cannot be foreseen: the first way that works counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """width: for sizes; all are equal, so that each is a multiple of the others."""

    width: int = 8


WAYS = (Way(), Way(width=64), Way(width=256))
"""From the smallest model to the largest: 64 and 256 are multiples of the usual groups, heads and factors."""
