"""JSON: what `shapecheck diff` and other programs read."""

from __future__ import annotations

from typing import TextIO

from shapecheck.harness.results import RunReport
from shapecheck.harness.serialization import as_json


def render(report: RunReport, stream: TextIO) -> None:
    """Write the whole report as one JSON object."""
    stream.write(as_json(report))
