"""Diagnostics for failures in a worker process, at the line of the program."""

from __future__ import annotations

import linecache
import re
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from shapecheck.diagnostics import CODES, Diagnostic
from shapecheck.harness.formatting import format_bytes
from shapecheck.project.files import display_path
from shapecheck.project.parsing import syntax_error
from shapecheck.spec.presentation import value_text

_ASKED = re.compile(r"tried to allocate (\d+) bytes")
_LONGEST = 300

Place = tuple[str, int]
"""A file and a line of it."""


def finding(place: Place, code: str, message: str, case: str = "") -> Diagnostic:
    """A diagnostic for the whole text of a line."""
    path, line = place
    text = linecache.getline(path, line).rstrip()
    first = len(text) - len(text.lstrip()) + 1
    severity = CODES[code].severity
    last = max(len(text) + 1, first)
    return Diagnostic(display_path(Path(path)), line, first, line, last, code, severity, message, case=case)


def of_import(error: BaseException, file: Path, root: Path) -> Diagnostic:
    """The finding for a file that cannot be imported."""
    if isinstance(error, SyntaxError) and error.filename:
        return syntax_error(display_path(Path(error.filename)), error)
    place = innermost(error, root)
    if place is None and not isinstance(error, (ImportError, OSError)):
        return finding((str(file), 1), "internal-error", f"error during import: {in_one_line(error)}")
    return finding(place or (str(file), 1), "failed-import", f"cannot import: {in_one_line(error)}")


def of_run(error: BaseException, start: Place, root: Path, case: str) -> Diagnostic:
    """The finding for a case that ended with an exception; `start` is the line of the case."""
    place = innermost(error, root)
    code = "internal-error" if place is None else "failed-run"
    return finding(place or start, code, in_one_line(error), case)


def in_one_line(error: BaseException) -> str:
    """The exception as one line."""
    if isinstance(error, SystemExit):
        return f"calls sys.exit({'' if error.code is None else value_text(error.code)})"
    said = " ".join(str(error).split())
    asked = _ASKED.search(said)
    if asked:
        return f"allocates {format_bytes(int(asked[1]))}, more than the memory available"
    return (f"{type(error).__name__}: {said}" if said else type(error).__name__)[:_LONGEST]


def innermost(error: BaseException, root: Path) -> Place | None:
    """The innermost line of the program in a traceback: below `root`, otherwise outside libraries."""
    return of_program(_lines(error.__traceback__)[::-1], root)


def of_program(lines: Sequence[Place], root: Path) -> Place | None:
    """The first line of the program among some lines, innermost first."""
    others = [(path, line) for path, line in lines if not path.startswith("<") and not _is_of_library(path)]
    own = [(path, line) for path, line in others if Path(path).is_relative_to(root)]
    return next(iter(own or others), None)


def _lines(trace: TracebackType | None) -> list[Place]:
    found = []
    while trace is not None:
        found.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return found


def _is_of_library(path: str) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in _LIBRARIES)


_LIBRARIES = (
    *{sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")},
    str(Path(sys.base_prefix) / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}"),
    str(Path(__file__).parents[2]),
)
