"""The edits that lead from one text to another."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from shapecheck.lsp.messages import Replacement
from shapecheck.project.source import split_lines


def hunks(old: str, new: str) -> Iterator[Replacement]:
    """Replacements of whole lines, from the top."""
    before, after = split_lines(old), split_lines(new)
    for tag, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Replacement(start + 1, 1, end + 1, 1, "".join(after[first:last]))
