"""JSON for programs: one object, `version` 1, with `tool`, `diagnostics` and what the front end adds.

Each diagnostic is a line: a long list needs no second copy in memory, and two reports can be compared with diff.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TextIO

from shapecheck import __version__
from shapecheck.diagnostics.model import Diagnostic


def render(diagnostics: Iterable[Diagnostic], stream: TextIO, extra: Mapping[str, object]) -> None:
    """Write the whole report as one JSON object."""
    tool = {"name": "shapecheck", "version": __version__}
    stream.write(f'{{\n  "version": 1,\n  "tool": {json.dumps(tool)},\n  "diagnostics": [')
    separator = "\n"
    for diagnostic in diagnostics:
        stream.write(f"{separator}    {json.dumps(as_dict(diagnostic))}")
        separator = ",\n"
    stream.write("]" if separator == "\n" else "\n  ]")
    for name, value in extra.items():
        stream.write(f",\n  {json.dumps(name)}: {_nested(value)}")
    stream.write("\n}\n")


def as_dict(diagnostic: Diagnostic) -> dict[str, object]:
    """A diagnostic as an object of the JSON report."""
    return {
        "path": diagnostic.path,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "end_line": diagnostic.end_line,
        "end_column": diagnostic.end_column,
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "notes": [
            {"path": note.path, "line": note.line, "column": note.column, "message": note.message}
            for note in diagnostic.notes
        ],
        **({"case": diagnostic.case, "module": diagnostic.module} if diagnostic.case else {}),
    }


def _nested(value: object) -> str:
    return json.dumps(value, indent=2).replace("\n", "\n  ")
