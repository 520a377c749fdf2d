"""The part of a source line that a finding marks."""

from __future__ import annotations

import tokenize

from shapecheck.diagnostics.model import Diagnostic


def marked_part(finding: Diagnostic, text: str) -> tuple[int, int]:
    """Where the marker of a finding starts and ends in its line; a comment after the code is not marked."""
    start = max(finding.column - 1, 0)
    end = finding.end_column - 1 if finding.end_line == finding.line else len(text)
    if not text[:start].strip() and end >= len(text.rstrip()):  # all of the line
        end = _end_of_code(text) or end
    return start, end


def _end_of_code(text: str) -> int:
    """Where the code of a line ends, without the comment after it; 0 if the line contains no code."""
    indent = len(text) - len(text.lstrip())
    end = 0
    try:
        for token in tokenize.generate_tokens(iter([text[indent:]]).__next__):
            if token.type == tokenize.COMMENT:
                return end
            if token.string.strip():
                end = indent + token.end[1]
    except (SyntaxError, tokenize.TokenError):  # a part of a statement of several lines
        pass
    return end
