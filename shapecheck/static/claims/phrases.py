"""Finds the shapes that a description of one value states.

A description may mention other brackets. Those after a word such as `shape` are shapes, and so are those before `-dim`
or `tensor`; others only if their names are those of dimensions. A description of a list, a dict or an array of another
library states no shape of a tensor.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.static.claims.dimensions import ReadShape, bracket_at, chain_at, row_at
from shapecheck.static.claims.model import ClaimedShape

_MOST_TEXT = 1_500
_WORD_BEFORE = lazy_pattern(
    r"""(?:\b(?:shaped?|shapes|dimensions?|dimensional|dims?|size)\b|\b\w{0,12}Tensor)
    (?:[\s:=`$*"'~|-]|\b(?:of|is|are|be|as|will|should|has|have|with|the|form|format|either|in|order|at|least)\b|:(?:math|obj|attr|code):){0,12}$""",
    re.VERBOSE,
)
_CONTEXT = 70
_UNIT_AFTER = lazy_pattern(
    r"[`$*'\s-]{0,4}(?:-?dim(?:ensional)?\b|(?:shaped )?(?:torch )?tensors?\b|image\b|matrix\b)", re.IGNORECASE
)
_OR = lazy_pattern(
    r"[`$\s.;,]{0,6}(?:or|/|\|)[\s`$]{1,4}(?:(?:of |with )?(?:shape|size)[\s:]{0,2})?(?::math:)?[`$]{0,2}"
)
_AND = lazy_pattern(
    r"""[`$\s]{0,4}(?:(?:,|and|&|\+|;)[\s`$]{0,4}(?:and[ ])?){1,2}(?::math:)?[`$]{0,2}(?=[(\[])|
    [`$\s,]{1,4}\d{1,3}[ ]times""",
    re.VERBOSE,
)
_START = lazy_pattern(r"[(\[]|(?<=[\s`])(?:x|X|\u00d7|\\times)(?=[\s`])|\u00d7")
_ITEM_BEFORE = lazy_pattern(r"(?:\([\w +*/-]{1,24}\)|\*?[\w'][\w'.*+/^-]{0,30}(?:\[-?\d\])?)`{0,2}[ \t\n]{0,40}$")
_NO_TENSOR = lazy_pattern(
    r"""\b(?:list|tuple|dict|mapping|iterable|callable|generator|ndarray|numpy|pair|pairs|tensordict|dataframe)\b|
    \bnp\.|\b(?:lists|tuples|dicts|dictionary|sequence|series|number|collection)\s+of\b|\bSequence\[|\b[Ee]ach\s+(?:element|item|entry)\b|
    \bnested\b|\bnot\s+used\b""",
    re.VERBOSE | re.IGNORECASE,
)
_TENSOR = lazy_pattern(r"\b\w{0,12}Tensor\b|\btensors?\b")


class Phrase(NamedTuple):
    """The shapes that a description states, and where they are in it."""

    shapes: tuple[ClaimedShape, ...]
    start: int
    end: int
    says_tensor: bool


def shapes_in(text: str, *, is_sized: bool = False) -> Phrase | None:
    """The shapes that a description of one value states; None if it states none, or those of several values.

    is_sized: whether the value may itself be a size, so that only text that calls it a tensor counts.
    """
    text = text[:_MOST_TEXT]
    says_tensor = _TENSOR.search(text) is not None
    if is_sized and not says_tensor:
        return None
    found: list[ClaimedShape] = []
    start = end = 0
    position = 0
    while (begin := _START.search(text, position)) is not None:
        made, first = _at(text, begin)
        if made is None:
            position = begin.end()
            continue
        if not found:
            if _NO_TENSOR.search(text, 0, made.end) or _AND.match(text, made.end):
                return None
            start, end = first, made.end
        found.append(made.shape)
        position = made.end
        while (other := _OR.match(text, position)) is not None:
            more = bracket_at(text, other.end()) if text[other.end() : other.end() + 1] in "([" else None
            if more is None:
                break
            found.append(more.shape)
            position = end = more.end
    return Phrase(tuple(dict.fromkeys(found)), start, end, says_tensor) if found else None


def _at(text: str, begin: re.Match[str]) -> tuple[ReadShape | None, int]:
    """The shape at a bracket or a cross, and where it begins."""
    if begin[0] in ("(", "["):
        made = bracket_at(text, begin.start())
        return (made if made is not None and _is_stated(text, begin.start(), made) else None), begin.start()
    before = text[max(0, begin.start() - _CONTEXT) : begin.start()]
    item = _ITEM_BEFORE.search(before)
    if item is None:
        return None, 0
    first = begin.start() - len(before) + item.start()
    made = chain_at(text, first)
    if made is None or not (made.is_strict or _is_worded(text, first)):
        return None, 0
    names = [one for one in made.shape.dims if isinstance(one, str)]
    return (made if names and (made.is_likely or len(made.shape.dims) > 2 or _is_worded(text, first)) else None), first


def _is_stated(text: str, start: int, made: ReadShape) -> bool:
    if _is_worded(text, start) or (made.is_strict and _UNIT_AFTER.match(text, made.end)):
        return True
    return made.is_likely and not text[max(0, start - 1) : start].isalnum()


def _is_worded(text: str, start: int) -> bool:
    return _WORD_BEFORE.search(text[max(0, start - _CONTEXT) : start]) is not None


_ARROW = lazy_pattern(r"(?:->|=>|→|-->)")
_LEAD = lazy_pattern(
    r"""\s{0,20}(?:(?:output|result|out|now|new|tensor|of|with|in|final|is|has)\s){0,2}
    (?:(?:shape|shapes|size|dims?|dimensions?)\b\s?(?:is|of)?)?[\s:=`$-]{0,6}""",
    re.VERBOSE | re.IGNORECASE,
)
_AFTER = lazy_pattern(r"\s*(?:[+*@&=/-]|and\b|,|(?:->|=>|→))")


def shape_of_comment(text: str) -> Phrase | None:
    """The shapes that a comment consists of, possibly followed by an explanation."""
    begin = max((arrow.end() for arrow in _ARROW.finditer(text[:_MOST_TEXT])), default=0)
    lead = _LEAD.match(text, begin)
    start = begin if lead is None else lead.end()
    worded = lead is not None and bool(lead[0].strip(" \t:=`$-"))
    made = _comment_group(text, start, is_worded=worded)
    if made is None:
        return None
    shapes, end = [made.shape], made.end
    while (other := _OR.match(text, end)) is not None:
        more = _comment_group(text, other.end(), is_worded=True)
        if more is None:
            break
        shapes.append(more.shape)
        end = more.end
    if _AFTER.match(text, end) or _AND.match(text, end):
        return None
    return Phrase(tuple(dict.fromkeys(shapes)), start, end, says_tensor=False)


def _comment_group(text: str, start: int, *, is_worded: bool) -> ReadShape | None:
    if text[start : start + 1] in ("(", "["):
        made = bracket_at(text, start)
        return made if made is not None and made.is_strict and (is_worded or made.is_likely) else None
    made = chain_at(text, start)
    if made is not None and made.is_strict and any(isinstance(one, str) for one in made.shape.dims):
        return made
    made = row_at(text, start)
    return made if made is not None and (made.is_likely or is_worded) and made.is_strict else None
