"""Divides a docstring into the descriptions of parameters and of the result, in the styles of Google, numpy and Sphinx.

A description begins at a line that starts with the name of a parameter, and goes on in lines that are indented further.
The heading above it determines what it is about: lines below `Returns:` are not about parameters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern


class Topic(Enum):
    """What a section is about."""

    PARAMETERS = "parameters"
    RESULT = "result"
    SHAPES = "shapes"
    OTHER = "other"


class Description(NamedTuple):
    """A description: the names that it is about, and its text, from a column of a line to the end of a line."""

    names: tuple[str, ...]
    """The names of parameters; empty for the result."""
    lines: tuple[str, ...]
    line: int
    """The index of its first line in the docstring."""
    column: int


_LONGEST_HEADING = 80
_HEADING = lazy_pattern(r"(?:\.\. |#+ |\*\*)?([A-Za-z][A-Za-z ]{2,24}?)(?:\*\*)? ?(::?)?(?:\*\*)?")
_UNDERLINE = lazy_pattern(r"\s*[-=~]{3,}\s*$")
_TOPICS = {
    **dict.fromkeys(
        (
            "args",
            "arg",
            "arguments",
            "parameters",
            "params",
            "parameter",
            "inputs",
            "input",
            "keyword args",
            "other parameters",
            "keyword arguments",
            "optional args",
            "input args",
        ),
        Topic.PARAMETERS,
    ),
    **dict.fromkeys(("returns", "return", "yields", "output", "outputs", "return values", "result"), Topic.RESULT),
    **dict.fromkeys(("shape", "shapes", "input shape", "shape inputs"), Topic.SHAPES),
    **dict.fromkeys(
        (
            "raises",
            "example",
            "examples",
            "note",
            "notes",
            "references",
            "attributes",
            "see also",
            "warning",
            "todo",
            "usage",
            "where",
            "notation",
            "output shape",
            "warnings",
            "yields shape",
        ),
        Topic.OTHER,
    ),
}
_NAMED = lazy_pattern(
    r"""\s*(?::param(?:eter)?\s+(?P<type>[\w.\[\], |]{1,60}\s+)?|@param\s+|[-*+•]\s+)?
    (?P<quote>`{1,2}|\*{1,2}|')?(?P<names>\*{0,2}[A-Za-z_]\w{0,60}(?:\s*[,/|]\s*[A-Za-z_]\w{0,60}){0,5})(?:`{1,2}|\*{1,2}|')?
    (?P<after>\s*[:(\[=]|\s*--?\s|\s+(?:of|has|is|with)\s|\s+x\s|\.shape)""",
    re.VERBOSE,
)
_RESULT = lazy_pattern(r"\s*(?::returns?:|@returns?|:rtype:|[Rr]eturns?:)\s*(?=\S)")
_FIELD = lazy_pattern(r"\s*[:@]\w+")
_MOST_LINES = 12


def entries_of(
    lines: Sequence[str], parameters: Collection[str], *, only_shapes: bool = False
) -> Iterator[Description]:
    """The descriptions in the lines of a docstring; possibly only those of parameters below a heading `Shape:`."""
    topic, depth = Topic.PARAMETERS, -1
    is_underlined = False
    first = next(iter(parameters), None)
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        indent = _indent(line)
        heading = _topic_of(lines, index)
        if heading is not None:
            topic, depth = heading, indent
            is_underlined = index + 1 < len(lines) and _is_underline(lines[index + 1])
            if topic is Topic.RESULT and not only_shapes:
                yield from _result_below(lines, index + 1 + is_underlined, indent, is_underlined)
            continue
        if depth >= 0 and not is_underlined and indent <= depth and index:
            topic, depth = Topic.PARAMETERS, -1
        result = None if only_shapes else _RESULT.match(line)
        if result is not None:
            yield Description((), _block(lines, index, result.end(), indent), index, result.end())
        elif topic is Topic.SHAPES or (topic is Topic.PARAMETERS and not only_shapes):
            named = _NAMED.match(line)
            if named is not None:
                names = _names(named["names"], parameters, first if topic is Topic.SHAPES else None)
                start = named.end("names")
                if names:
                    yield Description(names, _block(lines, index, start, indent), index, start)


def _topic_of(lines: Sequence[str], index: int) -> Topic | None:
    """The topic of a heading; None if the line is none."""
    found = _HEADING.fullmatch(lines[index].strip()) if len(lines[index]) <= _LONGEST_HEADING else None
    if found is None:
        return None
    underlined = index + 1 < len(lines) and _is_underline(lines[index + 1])
    if not underlined and not found[2]:
        return None
    topic = _TOPICS.get(found[1].strip().lower())
    return Topic.OTHER if topic is None and underlined else topic


def _is_underline(line: str) -> bool:
    return _UNDERLINE.match(line) is not None


def _names(text: str, parameters: Collection[str], first: str | None) -> tuple[str, ...]:
    """The parameters that a line lists; `Input` in a section of shapes is the first one."""
    every = tuple(one.strip(" *") for one in re.split(r"[,/|]", text))
    if all(one in parameters for one in every):
        return every
    lower = tuple(one.lower() for one in every)
    if first is not None and all(one in parameters for one in lower):
        return lower
    return (first,) if first is not None and lower == ("input",) and len(parameters) == 1 else ()


def _block(lines: Sequence[str], index: int, start: int, indent: int) -> tuple[str, ...]:
    """The rest of a line, and the lines below it that are indented further."""
    found = [lines[index][start:]]
    for line in lines[index + 1 : index + _MOST_LINES]:
        if not line.strip() or (index and _indent(line) <= indent) or _FIELD.match(line):
            break
        if not index and _NAMED.match(line):
            break
        found.append(line)
    return tuple(found)


def _result_below(lines: Sequence[str], index: int, indent: int, is_underlined: bool) -> Iterator[Description]:
    """The description of the result below a heading."""
    while index < len(lines) and not lines[index].strip():
        index += 1
    if index < len(lines) and (_indent(lines[index]) > indent or is_underlined):
        body = list(lines[index : index + _MOST_LINES])
        end = next(
            (at for at, one in enumerate(body) if not one.strip() or (not is_underlined and _indent(one) <= indent)),
            len(body),
        )
        if end:
            yield Description((), tuple(body[:end]), index, 0)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
