"""Lines of code in black's layout, for the few statements that shapecheck writes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from shapecheck.fix.signature import Signature, balanced, last_brackets, split


class SignatureLayout(Enum):
    """The layout of a signature: on one line, with all parameters on one line of their own, or with a line for each."""

    ONE_LINE = 1
    HUGGING = 2
    EXPLODED = 3


SIGNATURE_LAYOUTS = tuple(SignatureLayout)


@dataclass(frozen=True, slots=True)
class LineFrame:
    """The position and the line length of a signature."""

    name: str
    indent: str
    step: str
    """One more level of indentation, in the style of the file."""
    width: int
    """The line length."""


def signature_lines(
    signature: Signature, items: list[str], frame: LineFrame, tail: str, least: SignatureLayout
) -> list[str]:
    """The lines of a signature with the parameters `items`, in the first layout, from `least` on, that fits.

    `tail` follows the colon on the last line.
    """
    start = f"{frame.indent}{signature.prefix} {frame.name}{signature.type_parameters}("
    end = f"){_arrow(signature)}:{tail}"
    line = f"{start}{', '.join(items)}{end}"
    if not items or (least is SignatureLayout.ONE_LINE and len(line) <= frame.width):
        return [line]
    if least is SignatureLayout.ONE_LINE and (by_returns := _split_at_returns(line, signature, frame, tail)):
        return by_returns
    body = frame.indent + frame.step
    joined = body + ", ".join(items)
    ends = _end_lines(signature, tail, frame)
    if least is not SignatureLayout.EXPLODED and len(joined) <= frame.width and len(items) > 1:
        return [start, joined, *ends]
    return [start, *(line for item in items for line in _item_lines(item, body, frame)), *ends]


def _split_at_returns(line: str, signature: Signature, frame: LineFrame, tail: str) -> list[str]:
    """The line split inside a return type that needs a line for each item; empty if it does not."""
    if not signature.returns.endswith("]") or len(_alternatives(signature.returns)) > 1:
        return []
    lines = _split(line.removesuffix(f":{tail}"), frame, frame.indent)
    return [*lines[:-1], f"{lines[-1]}:{tail}"] if len(lines) > 3 and len(lines[0]) <= frame.width else []


def call_lines(start: str, arguments: list[str], frame: LineFrame) -> list[str]:
    """The lines of the statement `start(arguments)`, as black lays it out."""
    line = f"{frame.indent}{start}({', '.join(arguments)})"
    body = frame.indent + frame.step
    joined = body + ", ".join(arguments)
    if len(line) <= frame.width or not arguments:
        return [line]
    lines = [joined] if len(joined) <= frame.width else [f"{body}{argument}," for argument in arguments]
    return [f"{frame.indent}{start}(", *lines, f"{frame.indent})"]


def result_lines(annotation: str, call: str, arguments: list[str], frame: LineFrame) -> list[str]:
    """The lines of `result: annotation = call(arguments)`, as black lays it out."""
    start = f"result: {annotation} = {call}"
    if len(f"{frame.indent}{start}(") + (not arguments) <= frame.width:
        return call_lines(start, arguments, frame)
    value = f"{call}({', '.join(arguments)})"
    if annotation.endswith("]") and len(_alternatives(annotation)) < 2:
        *lines, last = _split(f"{frame.indent}result: {annotation}", frame, frame.indent)
        return [*lines, *call_lines(f"{last.strip()} = {call}", arguments, frame)]
    opening = f"{frame.indent}result: {annotation} = ("
    if len(opening) > frame.width and len(_alternatives(annotation)) > 1:
        members = _union_lines(annotation, frame.indent + frame.step, frame)
        return [f"{frame.indent}result: (", *members, *call_lines(f") = {call}", arguments, frame)]
    return [opening, f"{frame.indent}{frame.step}{value}", f"{frame.indent})"]


def _item_lines(item: str, indent: str, frame: LineFrame) -> list[str]:
    """A parameter on its own line; the union in an annotation that is too long is put in parentheses."""
    line = f"{indent}{item},"
    name, colon, rest = item.partition(": ")
    annotation, equals, default = rest.partition(" = ")
    if len(line) <= frame.width or not colon or len(_alternatives(annotation)) < 2:
        return _fitted(line, frame, indent)
    members = _union_lines(annotation, indent + frame.step, frame)
    return [f"{indent}{name}: (", *members, f"{indent}){equals}{default},"]


def _alternatives(annotation: str) -> list[str]:
    """The members of a union, except those inside brackets."""
    found: list[str] = []
    for part in annotation.split(" | "):
        if found and not balanced(found[-1]):
            found[-1] += f" | {part}"
        else:
            found.append(part)
    return found if all(map(balanced, found)) else [annotation]


def _union_lines(annotation: str, indent: str, frame: LineFrame) -> list[str]:
    """A union inside parentheses, with a line for each member if it is too long for one."""
    line = f"{indent}{annotation}"
    if len(line) <= frame.width:
        return [line]
    first, *rest = _alternatives(annotation)
    members = (f"{indent}{first}", *(f"{indent}| {one}" for one in rest))
    return [part for one in members for part in _fitted(one, frame, indent)]


def _end_lines(wanted: Signature, tail: str, frame: LineFrame) -> list[str]:
    """The line of the closing parenthesis, with the return type split if it is too long."""
    line = f"{frame.indent}){_arrow(wanted)}:{tail}"
    if len(line) <= frame.width or len(_alternatives(wanted.returns)) < 2:
        return _fitted(line, frame, frame.indent)
    members = _union_lines(wanted.returns, frame.indent + frame.step, frame)
    return [f"{frame.indent}) -> (", *members, f"{frame.indent}):{tail}"]


def _fitted(line: str, frame: LineFrame, indent: str) -> list[str]:
    return [line] if len(line) <= frame.width else _split(line, frame, indent)


def _split(line: str, frame: LineFrame, indent: str) -> list[str]:
    """A line split at its last pair of brackets."""
    found = last_brackets(line.removeprefix(indent + ")"))
    if found is None:
        return [line]
    start = len(line) - len(line.removeprefix(indent + ")"))
    opening, closing = (start + place for place in found)
    items = split(line[opening + 1 : closing])
    if not items:
        return [line]
    body = indent + frame.step
    joined = body + ", ".join(items)
    literal = not (line[opening - 1].isalnum() or line[opening - 1] in "_])")
    hugged = len(joined) <= frame.width and not (literal and len(items) > 1)
    lines = [joined] if hugged else [part for item in items for part in _fitted(f"{body}{item},", frame, body)]
    return [line[: opening + 1], *lines, indent + line[closing:]]


def _arrow(signature: Signature) -> str:
    return f" -> {signature.returns}" if signature.returns else ""
