"""Parses a function's signature as text, and writes it under another name and indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from shapecheck.project.scope import FunctionNode
from shapecheck.project.source import SourceFile

_TOKEN = re.compile(
    r"""(?P<string>(?:\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'))
      | (?P<comment>\#[^\r\n]*)
      | (?P<open>[(\[{])
      | (?P<close>[)\]}])
      | (?P<colon>:)
      | (?P<comma>,)
      | (?P<newline>\r\n|\r|\n)""",
    re.DOTALL | re.VERBOSE,
)
_CONTINUED = re.compile(r"\\(?:\r\n|\r|\n)")
_NAME = re.compile(r"(?P<prefix>(?:async\s+)?def)\s+\w+\s*")


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement for a slice of the source, by offsets into the text of the file."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Signature:
    """A `def` line split into its parts, each as in the source.

    `parameters` is the text between the parentheses, `returns` the text between `->` and the colon.
    """

    prefix: str
    type_parameters: str
    parameters: str
    returns: str
    between: str
    """The text between the closing parenthesis and the colon."""
    start: int
    """Offset of `def` (or `async`) in the file's text."""
    opening: int
    """Offset of the opening parenthesis."""
    closing: int
    """Offset of the closing parenthesis."""
    end: int
    """Offset of the colon."""
    indent: str

    @classmethod
    def read(cls, node: FunctionNode, source: SourceFile) -> Signature | None:
        """The signature of a function of a source; None if it cannot be parsed."""
        text = source.text
        start = source.offset(node.lineno, node.col_offset)
        name = _NAME.match(text, start)
        if name is None:
            return None
        marks = _marks(text, name.end())
        if marks is None:
            return None
        opening, closing, colon = marks
        between = text[closing + 1 : colon]
        indent = source.lines[node.lineno - 1][: source.column(node.lineno, node.col_offset)]
        return cls(
            prefix=" ".join(name["prefix"].split()),
            type_parameters=text[name.end() : opening].strip(),
            parameters=text[opening + 1 : closing],
            returns=_without_parentheses(_CONTINUED.sub(" ", between).strip().removeprefix("->").strip()),
            between=between,
            start=start,
            opening=opening,
            closing=closing,
            end=colon,
            indent=indent,
        )

    def edited(self, edits: list[Edit]) -> Signature:
        """This signature with edits made between its parentheses and after its arrow."""
        before = [edit for edit in edits if edit.start <= self.closing]
        parameters = self.parameters
        for edit in sorted(before, key=lambda e: e.start, reverse=True):
            start, end = edit.start - self.opening - 1, edit.end - self.opening - 1
            parameters = parameters[:start] + edit.text + parameters[end:]
        return replace(self, parameters=parameters)


def _marks(text: str, start: int) -> tuple[int, int, int] | None:
    """The offsets of the parameters' parentheses and of the colon that ends the signature."""
    depth, opening, closing = 0, -1, -1
    for token in _TOKEN.finditer(text, start):
        kind = token.lastgroup
        if kind == "open":
            if depth == 0 and opening < 0 and token[0] == "(":
                opening = token.start()
            depth += 1
        elif kind == "close":
            depth -= 1
            if depth == 0 and closing < 0 and opening >= 0:
                closing = token.start()
        elif kind == "colon" and depth == 0:
            return (opening, closing, token.start()) if closing >= 0 else None
    return None


def split(parameters: str) -> list[str] | None:
    """The items between commas, each on one line; None if a comment or a multi-line string prevents moving them."""
    items, start = [], 0
    for token, depth in _with_depth(parameters):
        if token.lastgroup == "comment" or (token.lastgroup == "string" and ("\n" in token[0] or "\r" in token[0])):
            return None
        if token.lastgroup == "comma" and depth == 0:
            items.append(parameters[start : token.start()])
            start = token.end()
    items.append(parameters[start:])
    flat = [on_one_line(item) if "\n" in item or "\r" in item else item.strip() for item in items]
    return flat if flat[-1] else flat[:-1]


def balanced(text: str) -> bool:
    """Whether the brackets of a piece of source are balanced."""
    return (
        all(depth >= 0 for _, depth in _with_depth(text))
        and sum({"open": 1, "close": -1}.get(token.lastgroup or "", 0) for token, _ in _with_depth(text)) == 0
    )


def _without_parentheses(text: str) -> str:
    """A union without the parentheses around all of it, which only serve to break the line."""
    inner = text[1:-1]
    is_union = text.startswith("(") and text.endswith(")") and balanced(inner) and len(split(inner) or ()) == 1
    return inner.strip() if is_union and not inner.rstrip().endswith(",") else text


def on_one_line(text: str) -> str:
    """A type that spans lines, as it would be written on one."""
    flat = re.sub(r"\s*[\r\n]\s*", " ", text.strip())
    return re.sub(r"([\[(]) | (?=[\])])", r"\1", re.sub(r",(?=\s*[\])])", "", flat))


def last_brackets(text: str) -> tuple[int, int] | None:
    """The offsets of the last non-empty pair of brackets that is not nested."""
    opening, found = -1, None
    for token, depth in _with_depth(text):
        if depth == 0 and token.lastgroup == "open":
            opening = token.start()
        elif depth == 0 and token.lastgroup == "close" and 0 <= opening < token.start() - 1:
            found = (opening, token.start())
    return found


def _with_depth(text: str) -> Iterator[tuple[re.Match[str], int]]:
    depth = 0
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "close":
            depth -= 1
        yield token, depth
        if token.lastgroup == "open":
            depth += 1


def comments(text: str) -> list[str]:
    """The comments of a piece of source, in order."""
    return [token[0] for token in _TOKEN.finditer(text) if token.lastgroup == "comment"]


def string_lines(text: str) -> set[int]:
    """The lines, from 0, that begin inside a string of this piece of source."""
    inside: set[int] = set()
    line = 0
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "newline":
            line += 1
        elif token.lastgroup == "string":
            inner = len(re.findall(r"\r\n|\r|\n", token[0]))
            inside.update(range(line + 1, line + inner + 1))
            line += inner
    return inside
