"""Formats of reports, one module per format, from `results` alone.

A format is a module with one function, `render(report, stream)`. To add one, create the file and add it to `FORMATS`;
a format is imported when it is used. `findings` has the formats that are those of every front end.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Protocol, TextIO, cast

from shapecheck.harness.results import RunReport

FORMATS: dict[str, str] = {
    "text": "terminal",
    "json": "as_json",
    "sarif": "findings",
    "junit": "junit",
    "github": "findings",
    "gitlab": "findings",
    "markdown": "findings",
    "html": "html",
}
"""The names for `--format` of `shapecheck run`, and the module of each."""


class ReportRenderer(Protocol):
    """Writes a report to a stream."""

    def __call__(self, report: RunReport, stream: TextIO) -> None:
        """Write the whole report."""


def renderer(name: str) -> ReportRenderer:
    """The renderer called `name` in FORMATS."""
    module = import_module(f"{__name__}.{FORMATS[name]}")
    if FORMATS[name] == "findings":
        return cast(ReportRenderer, partial(module.render, form=name))
    return cast(ReportRenderer, module.render)
