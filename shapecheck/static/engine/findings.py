"""Findings, with the calls that led to them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from typing import NamedTuple

from shapecheck.diagnostics import CODES, FAILURES, REVEALED, Diagnostic, Note
from shapecheck.spec import Shape
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.places import Place, span

ELSEWHERE = "it happens here"
"""The note at the place of a finding that is reported at a call."""


FindingKey = tuple[str, int, int, str]
"""The displayed path, line and column of a finding, and its code."""


class Conflict(NamedTuple):
    """The sizes that a refused call names, the call that built its layer, if that is recorded, and its operands."""

    sizes: tuple[Value, ...]
    built: Place | None
    operands: tuple[Shape, ...]
    """The shapes of the tensors that it receives."""


class Finding:
    """A diagnostic, the calls that led to it, innermost first, and what it is about, if an operator refused a call."""

    __slots__ = ("callers", "conflict", "diagnostic")

    def __init__(self, diagnostic: Diagnostic, callers: list[Place], conflict: Conflict | None = None) -> None:
        self.diagnostic = diagnostic
        self.callers = callers
        self.conflict = conflict

    @property
    def depends_on_values(self) -> bool:
        """Whether it is about values: not output that the source requests, nor a failure of the analysis."""
        return self.diagnostic.code not in REVEALED and self.diagnostic.code not in FAILURES

    def reported_in(self, requested: Container[str]) -> Diagnostic | None:
        """The diagnostic, moved to the innermost call in a requested file; None if there is none."""
        one = self.diagnostic
        if one.path in requested:
            return one
        caller = next((caller for caller in self.callers if caller.loaded.source.display in requested), None)
        if caller is None:
            return None
        line, column, end_line, end_column = span(caller.loaded, caller.node)
        return replace(
            one,
            path=caller.loaded.source.display,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            notes=(Note(one.path, one.line, one.column, ELSEWHERE), *one.notes),
        )


def fault_text(fault: Exception) -> str:
    """An exception of the engine in one line."""
    first = (str(fault).splitlines() or [""])[0]
    return f"{type(fault).__name__}: {first}" if first else type(fault).__name__


def diagnostic_at(
    code: str, place: Place, message: str, notes: Iterable[Note], causes: Iterable[str] = ()
) -> Diagnostic:
    """A diagnostic with the severity of its code."""
    line, column, end_line, end_column = span(place.loaded, place.node)
    return Diagnostic(
        path=place.loaded.source.display,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        code=code,
        severity=CODES[code].severity,
        message=message,
        notes=tuple(notes),
        causes=tuple(causes),
    )
