"""GitHub workflow commands, as every front end writes them."""

from __future__ import annotations

from typing import TextIO

from shapecheck.diagnostics.render import renderer
from shapecheck.harness.results import RunReport


def render(report: RunReport, stream: TextIO) -> None:
    """Write one workflow command per diagnostic."""
    renderer("github")(report.all_diagnostics(), stream, {})
