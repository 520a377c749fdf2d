"""Formats a signature: in black's style if the source was, otherwise as in the source."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from shapecheck.fix.black_lines import SIGNATURE_LAYOUTS, LineFrame, SignatureLayout, signature_lines
from shapecheck.fix.pragmas import is_pragma
from shapecheck.fix.signature import Signature, comments, on_one_line, split, string_lines

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Pragmas:
    """Comments for checkers: after the opening parenthesis, and at the end of the `def`'s last line."""

    first: str = ""
    last: str = ""


def lay_out(  # noqa: PLR0913, PLR0917 - the parts of a signature
    original: Signature,
    wanted: Signature,
    frame: LineFrame,
    tail: str,
    pragmas: Pragmas = Pragmas(),
    name: str = "forward",
) -> list[str]:
    """The lines of `wanted` in a frame, without line ends.

    `original` is the signature of the function `name` in the file: if it has black's layout, so has the result.
    `tail` follows the colon on
    the last line. If one line becomes several, the last pragma is moved to the first line, where mypy expects it.
    """
    shape = _shape_of(original, frame, name)
    items = split(wanted.parameters)
    first, last = (f"  {pragma}" if pragma else "" for pragma in (pragmas.first, pragmas.last))
    if items is None or shape is None:
        lines = _as_written(original, wanted, frame, tail, name)
        return [*lines[:-1], lines[-1] + last]
    flat = replace(wanted, returns=on_one_line(wanted.returns))
    lines = signature_lines(
        flat, items, frame, tail, SignatureLayout.HUGGING if first and shape is SignatureLayout.ONE_LINE else shape
    )
    one_line = not _LINE_END.search(original.parameters + original.between)
    if len(lines) > 1 and one_line and last:
        lines = signature_lines(flat, items, frame, tail, SignatureLayout.EXPLODED)
        first, last = last, ""
    if len(lines) == 1:
        return [lines[0] + (last or first)]
    return [lines[0] + first, *lines[1:-1], lines[-1] + last]


def _shape_of(signature: Signature, frame: LineFrame, name: str) -> SignatureLayout | None:
    """The layout of black that a signature has in the file; None if it has none of them."""
    items = split(signature.parameters)
    if items is None or comments(signature.between):
        return None
    flat = replace(signature, returns=on_one_line(signature.returns))
    here = LineFrame(name, signature.indent, frame.step, frame.width)
    head = f"{signature.indent}{signature.prefix} {name}{signature.type_parameters}("
    written = _LINE_END.sub("\n", f"{head}{signature.parameters}){signature.between}:")
    for shape in SIGNATURE_LAYOUTS:
        lines = signature_lines(flat, items, here, "", shape)
        if written in {"\n".join(lines), _without_last_comma(lines, items)}:
            return shape
    return None


def _without_last_comma(lines: list[str], items: list[str]) -> str:
    """Black adds no comma after `*args` and `**kwargs` if the file may be for an old Python."""
    if len(lines) < 3 or not items[-1].startswith("*"):
        return ""
    return "\n".join([*lines[:-2], lines[-2].removesuffix(","), lines[-1]])


def _as_written(original: Signature, wanted: Signature, frame: LineFrame, tail: str, name: str) -> list[str]:
    head = f"{wanted.prefix} {frame.name}{wanted.type_parameters}("
    between = original.between if wanted.returns == original.returns else f" -> {wanted.returns}"
    text = f"{head}{wanted.parameters}){between}:{tail}"
    lines = _LINE_END.split(text)
    frozen = string_lines(text)
    old_head = len(f"{original.indent}{original.prefix} {name}{original.type_parameters}(")
    shift = len(frame.name) - len(name)
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
    """A line that is too long because of its comment, with the comment on the line before it."""
    found = comments(line)
    code = line.removesuffix(found[0]).rstrip() if len(found) == 1 else ""
    if not code.endswith(",") or is_pragma(found[0]):
        return [line]
    return [line[: len(line) - len(line.lstrip())] + found[0], code]
