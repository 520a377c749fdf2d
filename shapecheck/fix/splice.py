"""Replaces `receiver.forward(...)` with `receiver(...)` in the text itself."""

from __future__ import annotations

import ast
import re

from shapecheck.fix.direct_forward import DirectCall
from shapecheck.fix.signature import Edit
from shapecheck.project.source import SourceFile

_HUGGED = re.compile(r"\((?:\r\n|\r|\n)(?P<indent>[ \t]*)(?P<arguments>[^#\r\n]*[^#\r\n,\s])(?:\r\n|\r|\n)[ \t]*\)")


def splice(source: SourceFile, calls: list[DirectCall], width: int) -> str:
    """The text of the source with these calls made on the receiver itself.

    A call that was split only because it was too long is joined if it now fits in `width` columns, as black would do.
    """
    text = source.text
    edits = [edit for call in calls for edit in _edits(source, call.node, width)]
    for edit in sorted(edits, key=lambda e: e.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _edits(source: SourceFile, call: ast.Call, width: int) -> list[Edit]:
    function = call.func
    assert isinstance(function, ast.Attribute)
    start = _end(source, function.value)
    end = _end(source, function)
    dot = source.text.rindex(".", start, end)
    while source.text[dot - 1].isspace() or source.text[dot - 1] == "\\":
        dot -= 1
    drop = Edit(dot, end, "")
    joined = _joined(source, drop, _end(source, call), width)
    return [drop, joined] if joined else [drop]


def _joined(source: SourceFile, drop: Edit, stop: int, width: int) -> Edit | None:
    text = source.text
    found = _HUGGED.match(text, drop.end)
    if found is None or found.end() != stop:
        return None
    before = re.split(r"\r\n|\r|\n", text[: drop.start])[-1]
    after = re.split(r"\r\n|\r|\n", text[stop:], maxsplit=1)[0]
    line = f"{before}({found['arguments']}){after}"
    return Edit(found.start(), stop, f"({found['arguments']})") if len(line) <= width else None


def _end(source: SourceFile, node: ast.expr) -> int:
    return source.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
