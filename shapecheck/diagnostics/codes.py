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


_TABLE = (
    Code("untyped-call", Severity.WARNING, "calling the module gives Any: its class has no typed __call__"),
    Code("direct-forward", Severity.WARNING, "forward is called directly, so hooks do not run"),
    Code("syntax-error", Severity.ERROR, "the file does not parse"),
    Code("unreadable-file", Severity.ERROR, "the file or path cannot be read, decoded or written"),
    Code("internal-error", Severity.ERROR, "a fault of shapecheck's own; the file is left as it is"),
)

CODES: dict[str, Code] = {code.name: code for code in _TABLE}
