"""Diagnostics: the form of finding that every front end reports.

`codes` is the table of codes, `declared` reads the codes that the pages of rules declare, `page` finds the page of a
code, `model` is the data, `comments` reads comments addressed to shapecheck, and `render` has a renderer per file.
It imports no other package of shapecheck.
"""

from shapecheck.diagnostics.codes import CHECKS, CODES, DEFAULT_CHECKS, FAILURES, FIXES, GUARDS, REFUSALS, REVEALED, RUN
from shapecheck.diagnostics.declared import Code
from shapecheck.diagnostics.model import Diagnostic, FailOn, Note, Severity

__all__ = [
    "CHECKS",
    "CODES",
    "DEFAULT_CHECKS",
    "FAILURES",
    "FIXES",
    "GUARDS",
    "REFUSALS",
    "REVEALED",
    "RUN",
    "Code",
    "Diagnostic",
    "FailOn",
    "Note",
    "Severity",
]
