"""The formats that contain only findings, as every front end writes them; SARIF names the case and module of each."""

from __future__ import annotations

from typing import TextIO

from shapecheck.diagnostics.render import renderer
from shapecheck.harness.results import RunReport
from shapecheck.project.source_lines import shown


def render(report: RunReport, stream: TextIO, form: str) -> None:
    """Write the findings."""
    found, sources = shown(report.all_diagnostics(), form)
    renderer(form)(found, stream, sources)
