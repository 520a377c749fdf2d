"""Reads one shape from text: `(B, C, H, W)`, `[b x t x d]`, `(*, D)`, `B x T x 3`.

Every search has a fixed length, so reading is linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.static.claims.model import MANY, ClaimedShape

_LONGEST = 200
_MOST_DIMS = 8
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_MARKUP = lazy_pattern(r":(?:math|obj|attr|code):|[`$\\~|]|\btext\b")
_VARIADIC = lazy_pattern(
    r"\*+\w*|\.\.+|…|l?c?dots|(?:\w+_)?shape|(?:batch_|spatial_|extra_|other_|event_|sample_)?dims"
)
_SERIES = lazy_pattern(r"[A-Za-z]+_?\{?[0-9kKnN]\}?")
_NAME = r"[^\W\d][\w']{0,30}(?:_?\{[\w, +*/-]{1,15}\})?"
_ATOM = rf"(?:{_NAME}(?:\.{_NAME})?(?:\[-?\d\])?|\d+)"
_STRICT = lazy_pattern(rf"{_ATOM}(?:\s?(?:[-+*/%^]|\*\*|//)\s?\(?{_ATOM}\)?){{0,4}}")
_LENIENT = lazy_pattern(r"[\w'.+*/%^{}()\[\] -]{1,48}")
_AT_MOST = lazy_pattern(r"(?:(?<=,)|\A)\s*(?:<=?|\u2264)\s*(?=[^\W\d])")
_CHAIN_ITEM = lazy_pattern(rf"\((?:{_NAME})\)|\.\.\.|\([\w +*/-]{{1,24}}\)|\*?[\w'][\w'.*+/^-]{{0,30}}(?:\[-?\d\])?")
_CHAIN_BREAK = lazy_pattern(r"`{0,2}[ \t\n]{1,40}(?:x|X|\u00d7|\\times)[ \t\n]{1,40}`{0,2}|\u00d7")
_COMPACT = lazy_pattern(r"(?:[A-Z][a-wyz0-9_]{0,2}|\d{1,4})(?:x(?:[A-Z][a-wyz0-9_]{0,2}|\d{1,4}))+")
_BEFORE_PART = lazy_pattern(r"(?<![A-Za-z0-9_])(?:[A-Z]\w?|\d+)x\Z")
_CROSS = lazy_pattern(r"\s(?:x|X|\u00d7|times)\s|\u00d7")
_NO_SIZE = frozenset(
    """int str float bool none true false optional default defaults torch tensor tensors list tuple dict any string e.g.
    i.e. eg ie self args kwargs and or not the a an if else for in is of to with cpu cuda key_padding_mask yes
    no""".split()
)
"""Words that are not the name of a size."""
_OTHER = frozenset(
    """mean std min max var x y z query key value q k v mu sigma loc scale start end step stop left right top bottom
    row col i j""".split()
)
"""Words that are names of sizes only among others."""
_KNOWN = lazy_pattern(
    r"""[A-Z]'?|[A-Z][A-Z0-9]?_?(?:in|out|[a-z0-9]|\{.*\})|[bnchwtdlseplmkf]'?|(?i:b?sz?|bsz|\w*batch(?:es)?|batch\w*|
    \w*batch_?size|(?:\w*_)?(?:size|dims?|len|length|lengths|channels?|heads?|features?|feats?|classes|num|tokens?|
    nodes|edges|width|height|depth|frames?|time|steps|seq|sequence|samples?|points|patches|embeddings?|embed|emb|
    hidden|vocab|freq|bins?|mels?|layers|queries|keys|boxes|anchors|size\w|residues|atoms|graphs|users|items|factors|
    units)|(?:num|n|nb|d|dim|seq|len|embed|hidden|in|out|c|h|w)_\w+|d_?model|ch|nc|max_\w+|nvars|d\d)""",
    re.VERBOSE,
)


class ReadShape(NamedTuple):
    """A shape, where its text ends, and how certain it is that this is a shape."""

    shape: ClaimedShape
    end: int
    is_strict: bool
    """Whether each item is a number, a name or a short calculation."""
    is_likely: bool
    """Whether its names are those of dimensions, so that it is one without the word `shape` before it."""


def bracket_at(text: str, start: int) -> ReadShape | None:
    """The shape in the brackets that open at a position; in `Nx(4*k)` they are a part of a shape."""
    end = _closing(text, start)
    if end is None or _BEFORE_PART.search(text, 0, start):
        return None
    inside = _AT_MOST.sub("up to ", _MARKUP.sub("", text[start + 1 : end]).strip())
    if not inside or ":" in inside or "=" in inside or '"' in inside:
        return None
    parts = _split(inside)
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
        made = _read(parts, end + 1)
        return None if made is None else made._replace(is_likely=made.is_likely and made.is_strict)
    if len(parts) == 1:
        crossed = _CROSS.split(inside)
        words = inside.split()
        if len(crossed) > 1:
            parts = [one.strip() for one in crossed]
        elif len(words) > 1 and all(len(one) <= 2 and one.isalnum() for one in words):
            parts = words
    return _read(parts, end + 1)


def chain_at(text: str, start: int) -> ReadShape | None:
    """The shape `A x B x C` that begins at a position."""
    item = _CHAIN_ITEM.match(text, start)
    parts: list[str] = []
    end = start
    while item is not None and len(parts) < _MOST_DIMS:
        part = item[0]
        is_optional = part.startswith("(") and part[1:-1].isidentifier()
        parts.append(MANY if is_optional else part.strip("()"))
        end = item.end()
        cross = _CHAIN_BREAK.match(text, end)
        item = None if cross is None else _CHAIN_ITEM.match(text, cross.end())
    return _read(parts, end) if len(parts) > 1 else None


def row_at(text: str, start: int) -> ReadShape | None:
    """The shape `B, T, D` or `B C H W`, without brackets, that is all of the text from a position."""
    rest = text[start:].strip()
    if len(rest) > _LONGEST:
        return None
    parts = [one.strip() for one in rest.split(",")] if "," in rest else rest.split()
    short = all(re.fullmatch(r"[A-Z]\w{0,3}|\d{1,4}|[a-z]\d?|\.\.\.|[A-Z]/+\d", one) for one in parts)
    return _read(parts, len(text)) if short and len(parts) > 1 else None


def _closing(text: str, start: int) -> int | None:
    """The position of the bracket that closes the one at a position."""
    pending: list[str] = []
    for position in range(start, min(len(text), start + _LONGEST)):
        character = text[position]
        if character in _PAIRS:
            pending.append(_PAIRS[character])
        elif pending and character == pending[-1]:
            pending.pop()
            if not pending:
                return position
        elif character in ")]}":
            return None
    return None


def _split(text: str) -> list[str]:
    """The parts between commas that are in no inner brackets; also those of `BxNx3`."""
    if _COMPACT.fullmatch(text):
        return text.split("x")
    parts, depth, begin = [], 0, 0
    for position, character in enumerate(text):
        if character in _PAIRS:
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[begin:position].strip())
            begin = position + 1
    return [*parts, text[begin:].strip()]


def _read(parts: list[str], end: int) -> ReadShape | None:
    if not 0 < len(parts) <= _MOST_DIMS:
        return None
    dims: list[int | str] = []
    for part in parts:
        one = " ".join(part.split())
        dim = _dimension(one)
        if dim is None:
            return None
        dims.append(dim)
    if dims.count(MANY) > 1 or _is_series(dims):
        dims = [MANY]
    names = [one for one in dims if isinstance(one, str) and one != MANY]
    is_strict = all(_STRICT.fullmatch(one) and one.lower() not in _NO_SIZE for one in names)
    return ReadShape(ClaimedShape(tuple(dims)), end, is_strict, is_strict and _is_likely(dims, names))


def _dimension(text: str) -> int | str | None:
    if text.isdecimal() and text.isascii():
        return int(text) if len(text) < 10 else None
    if _VARIADIC.fullmatch(text):
        return MANY
    if not _LENIENT.fullmatch(text) or len(text.split()) > 6:
        return None
    is_name = text[0].isalnum() or text[0] in "_({"
    return text if is_name and not _NO_SIZE.issuperset(text.lower().split()) else None


def _is_series(dims: list[int | str]) -> bool:
    """Whether it is a list such as `n_1, ..., n_k`."""
    if MANY not in dims:
        return False
    place = dims.index(MANY)
    around = (*dims[max(0, place - 1) : place], *dims[place + 1 : place + 2])
    return len(around) == 2 and all(isinstance(one, str) and _SERIES.fullmatch(one) for one in around)


def _is_likely(dims: list[int | str], names: list[str]) -> bool:
    if 2 * sum(one in _OTHER for one in names) > len(names):
        return False
    known = [one for one in names if _KNOWN.fullmatch(one.split("//")[0].split("*")[0].strip(" '"))]
    if len(dims) < 2 or not names or 2 * len(known) < len(names):
        return False
    lower = all(len(one) == 1 and one.islower() for one in names)
    return len(dims) > 2 or not lower or dims[0] in ("b", "n", "t", MANY)
