"""Which lines are still there after an edit."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

_MOST = 3_000
"""Changed lines between the first and the last that are compared; beyond, none of them counts as kept."""


class LineMap:
    """Maps old lines to new ones, as far as they are in both."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        least = min(len(old), len(new))
        before = 0
        while before < least and old[before] == new[before]:
            before += 1
        after = 0
        while after < least - before and old[-1 - after] == new[-1 - after]:
            after += 1
        self._before = before
        self._old_after, self._new_after = len(old) - after, len(new) - after
        self._inner: dict[int, int] = {}
        inside = old[before : self._old_after], new[before : self._new_after]
        if all(inside) and sum(map(len, inside)) <= _MOST:
            for block in SequenceMatcher(None, *inside, autojunk=False).get_matching_blocks():
                for step in range(block.size):
                    self._inner[before + block.a + step] = before + block.b + step
        self._outer = {new_line: old_line for old_line, new_line in self._inner.items()}

    def to_new(self, line: int) -> int | None:
        """The new number of an old line, from 0; None if it has changed."""
        if line < self._before:
            return line
        return line - self._old_after + self._new_after if line >= self._old_after else self._inner.get(line)

    def to_old(self, line: int) -> int | None:
        """The old number of a new line, from 0; None if it has changed."""
        if line < self._before:
            return line
        return line - self._new_after + self._old_after if line >= self._new_after else self._outer.get(line)
