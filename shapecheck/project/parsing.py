"""Parses source, and creates the diagnostic if that fails, in the same way for every command."""

from __future__ import annotations

import ast
import sys
import warnings

from shapecheck.diagnostics import CODES, Diagnostic
from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.newer_syntax import needed_version
from shapecheck.project.source import SourceError, reason

CANNOT_PARSE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `parse` may raise."""

_DEEP_CHAIN = lazy_pattern(r"(?:\.\w+){2000}")


def parse(text: str) -> ast.Module:
    """Parse source without showing warnings; raise one of CANNOT_PARSE if that fails."""
    if sys.version_info < (3, 11) and _DEEP_CHAIN.search(text):
        raise RecursionError("the attribute chain is too long for the parser of Python 3.10")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def syntax_error(display: str, error: Exception, what: str = "cannot parse") -> Diagnostic:
    """The finding that a file does not parse, at the position that the parser reports."""
    line, column, why = _where(error)
    return _failure(display, line, column, "syntax-error", f"{what}: {why}")


def unreadable_file(display: str, error: OSError | SourceError) -> Diagnostic:
    """The finding that a file cannot be read or decoded."""
    why = str(error) if isinstance(error, SourceError) else f"cannot read: {reason(error)}"
    return unreadable_path(display, why)


def unreadable_path(display: str, message: str) -> Diagnostic:
    """The finding that a path cannot be read, with the reason."""
    return _failure(display, 1, 1, "unreadable-file", message)


def _failure(display: str, line: int, column: int, code: str, message: str) -> Diagnostic:
    return Diagnostic(display, line, column, line, column, code, CODES[code].severity, message)


def _where(error: Exception) -> tuple[int, int, str]:
    if isinstance(error, SyntaxError):
        return error.lineno or 1, max(error.offset or 1, 1), error.msg + _advice(error.text or "")
    if isinstance(error, (RecursionError, MemoryError)):
        return 1, 1, "nested too deeply"
    return 1, 1, " ".join(str(error).split())


def _advice(line: str) -> str:
    version = needed_version(line)
    running = ".".join(map(str, sys.version_info[:2]))
    return f"; this line needs Python {version}, and shapecheck runs on Python {running}" if version else ""
