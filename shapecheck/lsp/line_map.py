"""Which lines of a text are still there after an edit."""

from __future__ import annotations

from collections.abc import Sequence


class LineMap:
    """Maps lines of an old text to those of a new one: what precedes and what follows the changed lines is kept."""

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

    def to_new(self, line: int) -> int | None:
        """The new number of an old line, from 0; None if it is among the changed ones."""
        if line < self._before:
            return line
        return line - self._old_after + self._new_after if line >= self._old_after else None

    def to_old(self, line: int) -> int | None:
        """The old number of a new line, from 0; None if it is among the changed ones."""
        if line < self._before:
            return line
        return line - self._new_after + self._old_after if line >= self._new_after else None
