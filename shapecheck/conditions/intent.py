"""Words in the source which show that a broadcast is wanted."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = frozenset(
    """
    None newaxis unsqueeze unsqueezed expand expanded view reshape reshaped rearrange rearranged meshgrid outer
    """.split()
)
_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A part of an identifier: `expand` and `as` of `expand_as`, `Outer` and `Product` of `OuterProduct`."""


def asks_for_pairs(source: str) -> bool:
    """Whether a part of an identifier in the source is such a word: of `x.view(-1, 1)`, but not of `preview`."""
    return any(part in _WORDS or part.lower() in _WORDS for part in _PART.findall(source))
