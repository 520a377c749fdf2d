"""Whether findings before and after a fix mean that the bug is found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

Diagnostic = Mapping[str, Any]
INTERNAL = "internal-error"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The findings of one bug's file."""

    before: list[Diagnostic]
    """Those on accepted lines, before the fix."""
    after: list[Diagnostic]
    """Those on the same or on changed lines, after the fix: false, since the code is correct there."""
    elsewhere: list[Diagnostic]
    """Those on other lines before the fix, which say nothing about the bug."""
    internal: list[Diagnostic]

    @property
    def found(self) -> bool:
        """A finding that the fix does not remove was not about the bug."""
        return bool(self.before) and not self.after


def judge(
    lines: Collection[int],
    before: Iterable[Diagnostic],
    after: Iterable[Diagnostic],
    texts: tuple[Sequence[str], Sequence[str]],
) -> Judgement:
    """The findings of both commits in the file, whose lines before and after are `texts`. Notes do not count."""
    old, new = _sorted(before), _sorted(after)
    corrected = _counterparts(lines, *texts)
    return Judgement(
        before=[one for one in old if one["line"] in lines and one["code"] != INTERNAL],
        after=[one for one in new if one["line"] in corrected and one["code"] != INTERNAL],
        elsewhere=[one for one in old if one["line"] not in lines and one["code"] != INTERNAL],
        internal=[one for one in [*old, *new] if one["code"] == INTERNAL],
    )


def _sorted(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    counted = [one for one in diagnostics if one["severity"] != "note"]
    return sorted(counted, key=lambda one: (one["line"], one["column"], one["code"]))


def _counterparts(lines: Collection[int], before: Sequence[str], after: Sequence[str]) -> set[int]:
    """Lines after the fix: those that it changed, and those that the accepted lines have become."""
    found: set[int] = set()
    for kind, old, old_end, new, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            found |= {line - old + new for line in lines if old < line <= old_end}
        else:
            found |= {*range(new + 1, new_end + 1)}
    return found
