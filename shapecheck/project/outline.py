"""Blanks method bodies, to parse a file quickly if only its classes matter."""

from __future__ import annotations

import re

from shapecheck.project.source import split_lines

_METHOD = re.compile(r"([ \t]+)(?:async[ \t]+)?def[ \t]")
_OPENS_BLOCK = re.compile(r":[ \t]*(?:#.*)?$")


def blank_method_bodies(text: str) -> str:
    """The source with blank method bodies and the same lines; it usually parses, in a fifth of the time."""
    lines = split_lines(text)
    in_class = False
    number = 0
    while number < len(lines):
        line = lines[number]
        if line[:1] not in " \t\r\n#)":
            in_class = line.startswith("class")
        found = _METHOD.match(line) if in_class else None
        number += 1
        if found:
            number = _blank_body(lines, number, len(found[1]))
    return "".join(lines)


def _blank_body(lines: list[str], number: int, indent: int) -> int:
    """Blank the body of the method whose `def` is on the line before `number`; return the line number after it."""
    while number < len(lines) and not _OPENS_BLOCK.search(lines[number - 1].rstrip("\r\n")):
        if lines[number].strip() and _indent(lines[number]) <= indent and lines[number].lstrip()[:1] != ")":
            return number
        number += 1
    first = True
    while number < len(lines) and (not lines[number].strip() or _indent(lines[number]) > indent):
        if lines[number].strip():
            lines[number] = f"{lines[number][: _indent(lines[number])]}...\n" if first else "\n"
            first = False
        number += 1
    return number


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
