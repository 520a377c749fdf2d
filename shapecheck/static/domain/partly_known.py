"""Values of which something is known: strings with an unknown part, and values that equal none of several constants.

Such a value decides comparisons with other constants: `f"{kind}_task"` is not "training", and after
`if mode == "train": raise`, no other function finds that `mode` is "train".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import takewhile
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import AbstractValue, Value
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.values import EnumMember

_MOST_EXCLUDED = 16
_ANYTHING = (Unknown, SymbolicArgument)


class PartlyKnown(AbstractValue, Unknown):
    """A value that equals none of `excluded`; if it is a string, one with this beginning and end.

    Code that does not handle it sees an Unknown.
    """

    __slots__ = ("end", "excluded", "is_text", "start")
    key_slots = ("excluded", "is_text", "start", "end")

    def __init__(self, excluded: frozenset[Hashable], *, is_text: bool = False, start: str = "", end: str = "") -> None:
        super().__init__("a partly known value")
        self.excluded = excluded
        self.is_text = is_text
        self.start = start
        self.end = end


_KINDS = (PartlyKnown, SymbolicArgument)


def text_between(start: str, end: str) -> Unknown:
    """A string that begins and ends in a known way."""
    return PartlyKnown(frozenset(), is_text=True, start=start, end=end)


def text_of(parts: Sequence[str | None]) -> str | Unknown:
    """The string that consists of these parts, of which some are unknown."""
    if None not in parts:
        return "".join(filter(None, parts))
    backwards = [one and one[::-1] for one in reversed(parts)]
    return text_between(_until_unknown(parts), _until_unknown(backwards)[::-1])


def _until_unknown(parts: Sequence[str | None]) -> str:
    return "".join(filter(None, takewhile(lambda one: one is not None, parts)))


def joined_text(left: Value, right: Value) -> Value | None:
    """`left + right`, of which one is a string and the other may be; None if one is neither."""
    first, second = _as_text(left), _as_text(right)
    if first is None and (second is None or type(left) not in _ANYTHING):
        return None
    if second is None and type(right) not in _ANYTHING:
        return None
    return text_between("" if first is None else first[0], "" if second is None else second[1])


def excluding(value: Value, others: Iterable[Value]) -> Value:
    """An unknown value without some constants; any other value itself."""
    known = frozenset(one for one in others if isinstance(one, (str, EnumMember)))
    if not known or (type(value) is not Unknown and not isinstance(value, _KINDS)):
        return value
    before = value if isinstance(value, _KINDS) else PartlyKnown(frozenset())
    every = before.excluded | known
    if every == before.excluded or len(every) > _MOST_EXCLUDED:
        return value
    return _with_excluded(before, every)


def _with_excluded(value: PartlyKnown | SymbolicArgument, excluded: frozenset[Hashable]) -> Value:
    if isinstance(value, SymbolicArgument):
        return value.without(excluded)
    return PartlyKnown(excluded, is_text=value.is_text, start=value.start, end=value.end)


def is_excluded(value: Value, other: Value) -> bool:
    """Whether a partly known value or a constant certainly differs from another value."""
    if not isinstance(value, _KINDS):
        return type(value) is type(other) and isinstance(value, (str, EnumMember)) and value != other
    if (other is None or isinstance(other, (str, EnumMember))) and other in value.excluded:
        return True
    if not isinstance(value, PartlyKnown) or not value.is_text:
        return False
    if isinstance(other, PartlyKnown):
        return other.is_text and not _may_be_same(value, other)
    return other is None if not isinstance(other, str) else not _may_be(value, other)


def joined(one: Value, other: Value) -> Value | None:
    """The value that covers two values of which one is partly known; None if nothing is known of both."""
    if not isinstance(one, _KINDS) and not isinstance(other, _KINDS):
        return None
    excluded = _excluded_by(one) | _excluded_by(other)
    both = frozenset(each for each in excluded if is_excluded(one, each) and is_excluded(other, each))
    if isinstance(one, SymbolicArgument) and isinstance(other, SymbolicArgument):
        if one.axes is not other.axes:
            return None
        same = one if one.formula == other.formula else one.computed(None)
        return same.without(both)
    first, second = _as_text(one), _as_text(other)
    if first is None or second is None:
        return PartlyKnown(both) if both else None
    start = _common_start(first[0], second[0])
    end = _common_start(first[1][::-1], second[1][::-1])[::-1]
    return PartlyKnown(both, is_text=True, start=start, end=end)


def _excluded_by(value: Value) -> frozenset[Any]:  # of constants, which are values
    return value.excluded if isinstance(value, _KINDS) else frozenset()


def _common_start(one: str, other: str) -> str:
    differing = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return one[: next(differing, min(len(one), len(other)))]


def _as_text(value: Value) -> tuple[str, str] | None:
    """The beginning and the end of a string; None for any other value."""
    if isinstance(value, PartlyKnown):
        return (value.start, value.end) if value.is_text else None
    return (value, value) if isinstance(value, str) else None


def _may_be(value: PartlyKnown, text: str) -> bool:
    is_long = len(text) >= max(len(value.start), len(value.end))
    return is_long and text.startswith(value.start) and text.endswith(value.end)


def _may_be_same(one: PartlyKnown, other: PartlyKnown) -> bool:
    starts = one.start.startswith(other.start) or other.start.startswith(one.start)
    return starts and (one.end.endswith(other.end) or other.end.endswith(one.end))
