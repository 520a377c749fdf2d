"""Text: `path:line:column: severity: message [code]`, notes as additional lines; with color on terminals."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TextIO

from shapecheck.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    from rich.text import Text

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}


def render(diagnostics: Iterable[Diagnostic], stream: TextIO, extra: Mapping[str, object]) -> None:
    """Write one line per diagnostic and note."""
    if wants_colour(stream):
        _render_coloured(diagnostics, stream)
        return
    for diagnostic in diagnostics:
        for place, severity, message, tail in parts(diagnostic):
            stream.write(f"{place}: {severity.value}: {message}{tail}\n")


def wants_colour(stream: TextIO) -> bool:
    """Whether `stream` is a terminal and NO_COLOR is not set (https://no-color.org).

    FORCE_COLOR replaces the terminal on standard output: CI services show colors but provide no terminal.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return stream is sys.stdout
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def parts(diagnostic: Diagnostic) -> Iterator[tuple[str, Severity, str, str]]:
    """For it and each of its notes: the place, the severity, the message, the code in brackets."""
    place = f"{diagnostic.path}:{diagnostic.line}:{diagnostic.column}"
    yield place, diagnostic.severity, diagnostic.message, f" [{diagnostic.code}]"
    for note in diagnostic.notes:
        yield f"{note.path}:{note.line}:{note.column}", Severity.NOTE, note.message, ""


def _render_coloured(diagnostics: Iterable[Diagnostic], stream: TextIO) -> None:
    from rich.console import Console  # noqa: PLC0415 - 25 ms, for terminals only

    console = Console(file=stream, soft_wrap=True, highlight=False, force_terminal=True)
    for diagnostic in diagnostics:
        for part in parts(diagnostic):
            console.print(coloured(*part))


def coloured(place: str, severity: Severity, message: str, tail: str) -> Text:
    """One of `parts` as a line for a terminal."""
    from rich.text import Text  # noqa: PLC0415

    label = (severity.value, _STYLES[severity])
    return Text.assemble((place, "bold"), ": ", label, f": {message}", (tail, "dim"))
