"""Parses a text, and makes the diagnostic where that fails: the same in every command."""

from __future__ import annotations

import ast
import re
import sys
import warnings

from shapecheck.diagnostics import CODES, Diagnostic
from shapecheck.project.source import SourceError

CANNOT_PARSE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `parse` may raise."""

_DEEP_CHAIN = re.compile(r"(?:\.\w+){2000}")


def parse(text: str) -> ast.Module:
    """The tree of a text, its warnings unheard; raise one of CANNOT_PARSE where there is none."""
    if sys.version_info < (3, 11) and _DEEP_CHAIN.search(text):
        raise RecursionError("the parser of Python 3.10 overflows its stack on such a chain")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def syntax_error(display: str, error: Exception, what: str = "the file does not parse") -> Diagnostic:
    """The finding that a file does not parse, where the parser says so."""
    line, column, why = _where(error)
    return _failure(display, line, column, "syntax-error", f"{what}: {why}")


def unreadable_file(display: str, error: OSError | SourceError) -> Diagnostic:
    """The finding that a file cannot be read or decoded."""
    why = str(error) if isinstance(error, SourceError) else f"cannot be read: {error.strerror or error}"
    return unreadable_path(display, why)


def unreadable_path(display: str, message: str) -> Diagnostic:
    """The finding that a path cannot be looked at, for a reason in words."""
    return _failure(display, 1, 1, "unreadable-file", message)


def _failure(display: str, line: int, column: int, code: str, message: str) -> Diagnostic:
    return Diagnostic(display, line, column, line, column, code, CODES[code].severity, message)


def _where(error: Exception) -> tuple[int, int, str]:
    if isinstance(error, SyntaxError):
        return error.lineno or 1, max(error.offset or 1, 1), error.msg
    if isinstance(error, (RecursionError, MemoryError)):
        return 1, 1, "it is nested too deeply"
    return 1, 1, " ".join(str(error).split())
