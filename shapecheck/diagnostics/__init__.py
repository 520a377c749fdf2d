"""Diagnostics: the one form of finding that every front end reports.

`codes` is the one table of codes, `declared` reads those that the pages of rules declare, `page` finds the page about
one, `model` is the data, `comments` reads what source says to this tool, and `render` holds one renderer a file.
Imports nothing of ours.
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
