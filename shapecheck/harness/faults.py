"""Turns an exception into a diagnostic at the line of the program."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from shapecheck.diagnostics import CODES, Diagnostic, Severity
from shapecheck.harness.formatting import first_line
from shapecheck.harness.subject import Subject
from shapecheck.project.files import display_path
from shapecheck.runtime.errors import ShapeError
from shapecheck.runtime.guards.places import SourceLocation, is_of_program, place_of_error
from shapecheck.runtime.guards.refusals import code_of

_RETURN = re.compile(r"return\b")


def rejects_sizes(error: BaseException) -> bool:
    """Whether the program or a layer of torch explicitly rejects these sizes."""
    return isinstance(error, AssertionError) or is_deliberate(error)


def is_deliberate(error: BaseException) -> bool:
    """Whether it comes from a `raise` of the program, or from one of torch that is about arguments."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or isinstance(error, ShapeError):
        return False
    file = trace.tb_frame.f_code.co_filename
    if not is_of_program(file) and not isinstance(error, (ValueError, NotImplementedError)):
        return False
    return "raise" in SourceLocation(file, trace.tb_lineno).text


def is_out_of_memory(error: BaseException) -> bool:
    """Whether the system or the device has run out of memory."""
    if isinstance(error, (MemoryError, torch.cuda.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and "can't allocate memory" in str(error)


def diagnose(
    subject: Subject, error: BaseException, module: str = "", also: str = "", otherwise: SourceLocation | None = None
) -> Diagnostic:
    """The diagnostic for an exception of a call. also: what was special about the call, for the message.

    otherwise: its line if the traceback has none of the program.
    """
    place = place_of_error(error) or otherwise or SourceLocation(str(subject.case.file), subject.case.line)
    code = "false-assert" if isinstance(error, AssertionError) else code_of(error) or "failed-run"
    message = first_line(error, 300)
    if isinstance(error, ShapeError):
        code = "dtype-mismatch" if error.is_about_dtype else code
        place = _contract_location(subject, error, place)
    elif code == "failed-run":
        message = f"{type(error).__name__}: {message}"
    found = diagnostic_at(place, code, message + (f" ({also})" if also else ""))
    return replace(found, case=subject.case.name, module=module)


def diagnostic_at(place: SourceLocation, code: str, message: str, severity: Severity | None = None) -> Diagnostic:
    """A diagnostic for the whole text of a line."""
    text = place.text.rstrip("\n")
    first = len(text) - len(text.lstrip()) + 1
    last = max(len(text.rstrip()) + 1, first + 1)
    path = display_path(Path(place.path)) if place.path and not place.path.startswith("<") else place.path
    line = max(place.line, 1)
    severity = severity or CODES[code].severity
    return Diagnostic(path, line, first, line, last, code, severity, message)


def _contract_location(subject: Subject, error: ShapeError, place: SourceLocation) -> SourceLocation:
    """The line that returns the wrong value, or the `def` of the function that received the wrong argument."""
    if not _RETURN.match(error.path):
        return place
    found = getattr(error, "returned_at", None)
    return found or place


class ReturnTracer:
    """While active, records the line from which a function of the program last returned.

    It slows a program down, so it is only used to find the place of a known violation.
    """

    def __init__(self, function: str) -> None:
        self._name = function.rpartition(".")[2]
        self.place: SourceLocation | None = None
        self._before: Any = None

    def __enter__(self) -> ReturnTracer:
        self._before = sys.getprofile()
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _look(self, frame: FrameType, event: str, argument: Any) -> None:
        # A frame that an exception leaves also returns None.
        code = frame.f_code
        if (
            event == "return"
            and argument is not None
            and code.co_name == self._name
            and is_of_program(code.co_filename)
        ):
            self.place = SourceLocation(code.co_filename, frame.f_lineno)


def with_return_location(subject: Subject, error: BaseException, again: Any) -> BaseException:
    """The error; if a result does not match its annotation, with the line that returned it, from a second call."""
    if not isinstance(error, ShapeError) or not _RETURN.match(error.path):
        return error
    with ReturnTracer(error.function) as returns:
        try:
            again()
        except Exception as same:
            if str(same) == str(error):
                setattr(error, "returned_at", returns.place)  # noqa: B010 - it is not part of the exception's class
    return error
