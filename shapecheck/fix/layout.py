"""Laying a signature out: as black would where the source did so, as it was written elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shapecheck.fix.pragmas import is_pragma
from shapecheck.fix.signature import Signature, comments, split, string_lines

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a signature is to stand."""

    name: str
    indent: str
    step: str
    """One further level of indentation, as this file writes it."""
    width: int
    """Columns of a line."""


@dataclass(frozen=True, slots=True)
class Pragmas:
    """Comments for checkers: after the opening parenthesis, and at the end of the `def`'s last line."""

    first: str = ""
    last: str = ""


def lay_out(original: Signature, wanted: Signature, frame: Frame, tail: str, pragmas: Pragmas = Pragmas()) -> list[str]:
    """The lines of `wanted` in a frame, without line ends.

    `original` is the signature as it stands in the file: where it is laid out the way black lays out, so is the result.
    `tail` follows the colon on the last line. The last pragma goes to the first line where one line becomes several:
    mypy looks there.
    """
    items = split(wanted.parameters)
    shape = _shape_of(original, frame)
    first, last = (f"  {pragma}" if pragma else "" for pragma in (pragmas.first, pragmas.last))
    if items is None or shape is None:
        lines = _as_written(original, wanted, frame, tail)
        return [*lines[:-1], lines[-1] + last]
    start = f"{frame.indent}{wanted.prefix} {frame.name}{wanted.type_parameters}("
    end = f"){_arrow(wanted)}:{tail}"
    line = f"{start}{', '.join(items)}{end}"
    if not items or (shape != "exploded" and not first and len(line) <= frame.width):
        return [line + (last or first)]
    if shape == "one line" and last:
        first, last, shape = last, "", "exploded"
    body = frame.indent + frame.step
    joined = body + ", ".join(items)
    ends = _last_lines(frame.indent + end, frame)
    ends[-1] += last
    if shape != "exploded" and len(joined) <= frame.width:
        return [start + first, joined, *ends]
    return [start + first, *(f"{body}{item}," for item in items), *ends]


def lay_out_call(start: str, arguments: list[str], frame: Frame) -> list[str]:
    """The lines of the statement `start(arguments)`, as black lays it out."""
    line = f"{frame.indent}{start}({', '.join(arguments)})"
    body = frame.indent + frame.step
    joined = body + ", ".join(arguments)
    if len(line) <= frame.width or not arguments:
        return [line]
    lines = [joined] if len(joined) <= frame.width else [f"{body}{argument}," for argument in arguments]
    return [f"{frame.indent}{start}(", *lines, f"{frame.indent})"]


def _last_lines(line: str, frame: Frame) -> list[str]:
    """The line of the closing parenthesis, its return type split at its brackets where the line is too long."""
    head, bracket, rest = line.partition("[")
    inner, closing, tail = rest.rpartition("]")
    items = split(inner) if closing else None
    if len(line) <= frame.width or not items:
        return [line]
    body = frame.indent + frame.step
    joined = body + ", ".join(items)
    lines = [joined] if len(joined) <= frame.width else [f"{body}{item}," for item in items]
    return [head + bracket, *lines, frame.indent + closing + tail]


def _arrow(signature: Signature) -> str:
    return f" -> {signature.returns}" if signature.returns else ""


def _shape_of(signature: Signature, frame: Frame) -> str | None:
    """Which of black's layouts a signature has in the file: one line, hugging or exploded; None: none of them."""
    items = split(signature.parameters)
    if items is None or signature.between != _arrow(signature):
        return None
    step = frame.step
    joined = ", ".join(items)
    written = _LINE_END.sub("\n", signature.parameters)
    if written == joined:
        return "one line" if _room(signature, joined, frame.width) else None
    if written == f"\n{signature.indent}{step}{joined}\n{signature.indent}":
        return "hugging"
    exploded = "".join(f"\n{signature.indent}{step}{item}," for item in items)
    if written == f"{exploded}\n{signature.indent}":
        return "exploded"
    unclosed = f"{exploded[:-1]}\n{signature.indent}"
    return "exploded" if items and items[-1].startswith("*") and written == unclosed else None


def _room(signature: Signature, joined: str, width: int) -> bool:
    head = f"{signature.indent}{signature.prefix} forward{signature.type_parameters}("
    return len(head) + len(joined) + len(f"){_arrow(signature)}:") <= width


def _as_written(original: Signature, wanted: Signature, frame: Frame, tail: str) -> list[str]:
    head = f"{wanted.prefix} {frame.name}{wanted.type_parameters}("
    between = original.between if wanted.returns == original.returns else _arrow(wanted)
    text = f"{head}{wanted.parameters}){between}:{tail}"
    lines = _LINE_END.split(text)
    frozen = string_lines(text)
    old_head = len(f"{original.indent}{original.prefix} forward{original.type_parameters}(")
    shift = len(frame.name) - len("forward")
    moved = [frame.indent + lines[0]]
    for number, line in enumerate(lines[1:], 1):
        if number in frozen:
            moved.append(line)
        else:
            new = _moved(line, original.indent, frame.indent, old_head, shift)
            moved += _comment_above(new) if len(line) <= frame.width < len(new) else [new]
    return moved


def _moved(line: str, old: str, new: str, head: int, shift: int) -> str:
    if not line.strip():
        return line
    rest = line.removeprefix(old) if line.startswith(old) else line.lstrip()
    aligned = len(line) - len(line.lstrip()) == head
    return new + (" " * shift if aligned else "") + rest


def _comment_above(line: str) -> list[str]:
    """A line that its comment makes too long, with the comment on a line of its own before it."""
    found = comments(line)
    code = line.removesuffix(found[0]).rstrip() if len(found) == 1 else ""
    if not code.endswith(",") or is_pragma(found[0]):
        return [line]
    return [line[: len(line) - len(line.lstrip())] + found[0], code]
