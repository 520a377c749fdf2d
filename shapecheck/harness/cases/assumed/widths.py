"""Sizes for assumed arguments. Sizes that exclude each other cannot be foreseen: the first that work count."""

from __future__ import annotations

from typing import Final

WIDTHS: Final = (8, 64, 256)
"""From the smallest model to the largest: 64 and 256 are multiples of the usual groups, heads and factors.

All sizes of one model are equal, so that each is a multiple of the others.
"""
