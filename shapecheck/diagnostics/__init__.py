"""One form of diagnostic for every front end.

`codes` is the one table of codes, `model` the data, and `render` holds one renderer a file. Imports nothing of ours.
"""

from shapecheck.diagnostics.codes import CODES, Code
from shapecheck.diagnostics.model import Diagnostic, Note, Severity

__all__ = ["CODES", "Code", "Diagnostic", "Note", "Severity"]
