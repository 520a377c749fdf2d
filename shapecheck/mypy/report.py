"""Diagnostics as messages of mypy, in the file that it has just checked."""

from __future__ import annotations

from collections.abc import Iterable

from mypy.errors import ErrorInfo, Errors

from shapecheck.diagnostics import Diagnostic, Note, Severity
from shapecheck.mypy.codes import ERROR_CODES

_QUIET = ("internal-error",)
"""Errors of shapecheck itself, which must not fail the user's run."""
_SAME = {"wrong-call": ("call-arg", "call-overload")}
"""For one of our codes, the mypy codes of the same error, which mypy reports if it checks the function."""


def report(errors: Errors, diagnostics: Iterable[Diagnostic], before: Errors | None = None) -> None:
    """Reports them; mypy itself applies `type: ignore` and disabled codes. `before`: what it has found in the file."""
    for one in diagnostics:
        if one.code in ERROR_CODES and not _is_reported(errors if before is None else before, errors.file, one):
            _report(errors, one)


def _is_reported(errors: Errors, file: str, one: Diagnostic) -> bool:
    same = _SAME.get(one.code, ())
    if not same:
        return False
    said = errors.error_info_map.get(file, ())
    return any(info.line == one.line and info.code is not None and info.code.code in same for info in said)


def _report(errors: Errors, one: Diagnostic) -> None:
    is_note = one.severity is Severity.NOTE or one.code in _QUIET
    info = _message(errors, one, one.message, "note" if is_note else "error")
    for note in one.notes:
        if (note.path, note.line, note.column) != (one.path, one.line, one.column):
            _message(errors, one, _text(note), "note", info)


def _message(errors: Errors, one: Diagnostic, text: str, severity: str, parent: ErrorInfo | None = None) -> ErrorInfo:
    return errors.report(
        one.line,
        one.column - 1,
        text,
        ERROR_CODES[one.code],
        severity=severity,
        origin_span=sorted({one.line, one.end_line}),
        end_line=one.end_line,
        end_column=one.end_column - 1,
        parent_error=parent,
    )


def _text(note: Note) -> str:
    # mypy sorts by line, so a note at its own line would be separated from its finding.
    return f"{note.message} ({note.path}:{note.line}:{note.column})"


def report_failure(errors: Errors, text: str) -> None:
    """Reports an error of shapecheck or of its configuration, once per run."""
    errors.report(1, 0, f"shapecheck: {text}", ERROR_CODES["internal-error"], severity="note", only_once=True)
