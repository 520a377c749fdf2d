"""The formats that contain only findings, as every front end writes them; SARIF names the case and module of each."""

from __future__ import annotations

from typing import TextIO

from shapecheck.diagnostics.render import renderer
from shapecheck.harness.changes import changes_since
from shapecheck.harness.results import RunReport
from shapecheck.harness.show.changes import markdown_of
from shapecheck.project.source_lines import shown


def render(report: RunReport, stream: TextIO, form: str) -> None:
    """Write the findings; a comment on a pull request has only what is new since an earlier report."""
    if form == "markdown" and report.earlier is not None:
        changes = changes_since(report.earlier, report)
        found, sources = shown(changes.new, form)
        renderer(form)(found, stream, {**sources, "summary": {"baseline": {}}})
        stream.writelines(f"\n{line}\n" for line in markdown_of(changes))
        return
    found, sources = shown(report.all_diagnostics(), form)
    renderer(form)(found, stream, sources)
