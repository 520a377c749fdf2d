"""GitHub workflow commands: each diagnostic becomes an annotation on its line of the pull request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TextIO

from shapecheck.diagnostics.checkout import path_in_checkout, with_slashes
from shapecheck.diagnostics.model import Diagnostic, Note, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(diagnostics: Iterable[Diagnostic], stream: TextIO, extra: Mapping[str, object]) -> None:
    """Write one workflow command per diagnostic; its message includes the notes, because it has only one position."""
    for diagnostic in diagnostics:
        stream.write(_command(diagnostic) + "\n")


def _command(diagnostic: Diagnostic) -> str:
    properties = {
        "title": f"shapecheck ({diagnostic.code})",
        "file": with_slashes(path_in_checkout(diagnostic.path)),
        "line": str(diagnostic.line),
        "col": str(diagnostic.column),
        "endLine": str(diagnostic.end_line),
        # GitHub's end column is inclusive, and must be absent if an annotation spans several lines.
        "endColumn": str(max(diagnostic.column, diagnostic.end_column - 1)),
    }
    if diagnostic.end_line != diagnostic.line:
        del properties["col"], properties["endColumn"]
    fields = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    message = "\n".join([f"{diagnostic.message} [{diagnostic.code}]", *map(_note, diagnostic.notes)])
    return f"::{_COMMANDS[diagnostic.severity]} {fields}::{_escape(message)}"


def _note(note: Note) -> str:
    return f"{note.path}:{note.line}:{note.column}: note: {note.message}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
