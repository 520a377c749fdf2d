"""SARIF 2.1.0, as every front end writes it."""

from __future__ import annotations

from typing import TextIO

from shapecheck.diagnostics.render import renderer
from shapecheck.harness.results import RunReport


def render(report: RunReport, stream: TextIO) -> None:
    """Write the whole report as one JSON object; each result's properties name its case and module."""
    renderer("sarif")(report.all_diagnostics(), stream, {})
