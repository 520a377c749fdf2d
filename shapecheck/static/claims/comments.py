"""Finds the comments of a function, and what they claim about names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.tree_walk import walk
from shapecheck.static.claims.phrases import Phrase, shape_of_comment

_MOST_COMMENT = 300
_NAMES = lazy_pattern(
    r"\s*(?P<names>[A-Za-z_][\w.]{0,40}(?:\s*[,/&]\s*[A-Za-z_][\w.]{0,40}){0,5})"
    r"(?:\.shape|\s(?:has|is|of|with|in)\b|\s+(?:shape|size)\b|\s?\((?:Tensor|torch\.Tensor)\)){0,3}\s*(?P<link>->|=>|=|:|(?=\(|\[))"
)
_CODE = lazy_pattern(r"""\s*(?:[rbfuRBFU]{0,2}("[^"\\]{0,200}"|'[^'\\]{0,200}')|[^#"'])""")


class Comment(NamedTuple):
    """A comment without its `#`: its line from 1, the column from 0 of its text, and whether code precedes it."""

    text: str
    line: int
    column: int
    follows_code: bool


def comments_between(lines: Sequence[str], first: int, last: int, strings: Mapping[int, int]) -> Iterator[Comment]:
    """The comments in some lines, from 1. `strings` are the lines after the first of each string of several lines."""
    for number in range(first, min(last, len(lines)) + 1):
        line = lines[number - 1]
        if "#" not in line or number in strings:
            continue
        at = _comment_start(line)
        if at is not None:
            text = line[at + 1 :].rstrip("\r\n")
            yield Comment(text[:_MOST_COMMENT], number, at + 1, bool(line[:at].strip()))


def string_lines(function: ast.AST) -> dict[int, int]:
    """The lines that are inside a string of several lines, or end one."""
    found: dict[int, int] = {}
    for one in walk(function):
        if (
            isinstance(one, (ast.Constant, ast.JoinedStr))
            and one.end_lineno is not None
            and one.end_lineno > one.lineno
        ):
            found.update(dict.fromkeys(range(one.lineno, one.end_lineno + 1), one.lineno))
    return found


def named_shapes(text: str) -> tuple[tuple[str, ...], Phrase] | None:
    """The names that a comment is about, and their shapes; no names if it consists of a shape."""
    named = _NAMES.match(text)
    if named is not None:
        phrase = _shifted(shape_of_comment(text[named.end() :]), named.end())
        if (
            phrase is not None
            and named["link"] in (":", "=", "")
            and not text[: named.end()].strip().lower().startswith("shape")
        ):
            return tuple(re.split(r"\s*[,/&]\s*", named["names"].removesuffix(".shape"))), phrase
    phrase = shape_of_comment(text)
    return None if phrase is None else ((), phrase)


def _shifted(phrase: Phrase | None, by: int) -> Phrase | None:
    return None if phrase is None else phrase._replace(start=phrase.start + by, end=phrase.end + by)


def _comment_start(line: str) -> int | None:
    """The position of the `#` of a comment, outside of strings; None if it is not certain."""
    position = 0
    while position < len(line):
        if line[position] == "#":
            return position
        step = _CODE.match(line, position)
        if step is None:
            stripped = line[position:].lstrip()
            return len(line) - len(stripped) if stripped.startswith("#") else None
        position = step.end()
    return None
