"""The edit that suppresses a finding with a comment."""

from __future__ import annotations

import io
import tokenize

from shapecheck.diagnostics import FAILURES, Diagnostic
from shapecheck.diagnostics.comments import ignores_in
from shapecheck.lsp.messages import Replacement
from shapecheck.project.source import SourceFile


def suppression(source: SourceFile, one: Diagnostic) -> Replacement | None:
    """A comment at the end of the first or the last line; None if neither can have one."""
    if one.code in FAILURES:
        return None
    ends = _line_ends(source.text)
    for line in dict.fromkeys((one.line, one.end_line)):
        text = source.lines[line - 1].rstrip("\r\n") if line <= len(source.lines) else ""
        with_codes = [comment for comment in ignores_in(text) if comment.codes is not None]
        if with_codes:
            comment = with_codes[0]
            codes = ", ".join([*(comment.codes or ()), one.code])
            return Replacement(line, comment.column + 1, line, comment.end + 1, f"# shapecheck: ignore[{codes}]")
        if line in ends:
            column = len(text.rstrip()) + 1
            return Replacement(line, column, line, len(text) + 1, f"  # shapecheck: ignore[{one.code}]")
    return None


def _line_ends(text: str) -> set[int]:
    """The lines that can end with a comment: not within a string, and without a backslash at the end."""
    found = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.NEWLINE, tokenize.NL):
                found.add(token.start[0])
    except (tokenize.TokenError, SyntaxError):
        return set()
    return found
