"""The one table of diagnostic codes. Each has a page `docs/codes/<name>.md`."""

from __future__ import annotations

from dataclasses import dataclass

from shapecheck.diagnostics.model import Severity


@dataclass(frozen=True, slots=True)
class Code:
    """A diagnostic code: its kebab-case name, default severity and one-line summary."""

    name: str
    severity: Severity
    summary: str


_FIXED = (
    Code("untyped-call", Severity.WARNING, "calling the module gives Any: its class has no typed __call__"),
    Code("direct-forward", Severity.WARNING, "forward is called directly, so hooks do not run"),
)
_CHECKED = (
    Code(
        "shape-mismatch", Severity.ERROR, "the shapes do not fit the operator, the layer, each other or an annotation"
    ),
    Code("dtype-mismatch", Severity.ERROR, "the operator or layer does not take a tensor of this dtype"),
    Code("non-contiguous", Severity.ERROR, "view of a tensor whose strides do not allow it"),
    Code("wrong-call", Severity.ERROR, "arguments that the operator or layer does not take"),
    Code(
        "silent-broadcast",
        Severity.WARNING,
        "both sides of the arithmetic expand an axis, so the result is an outer one",
    ),
    Code("false-assert", Severity.ERROR, "the assert about sizes or ranks holds in no run"),
    Code("loss-broadcast", Severity.WARNING, "the two inputs of a loss broadcast, so it is taken over pairs"),
)
_TROUBLE = (
    Code("syntax-error", Severity.ERROR, "the file does not parse"),
    Code("unreadable-file", Severity.ERROR, "the file or path cannot be read, decoded or written"),
    Code("internal-error", Severity.ERROR, "a fault of shapecheck's own; the file is left as it is"),
)

CODES: dict[str, Code] = {code.name: code for code in (*_FIXED, *_CHECKED, *_TROUBLE)}
CHECKS = tuple(code.name for code in _CHECKED)
"""What `shapecheck check` looks for."""
TROUBLES = frozenset(code.name for code in _TROUBLE)
"""Why something could not be looked at: these can be neither deselected nor silenced by a comment."""
