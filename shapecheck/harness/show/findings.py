"""The formats that contain only findings, as every front end writes them; SARIF names the case and module of each."""

from __future__ import annotations

from typing import TextIO

from shapecheck.diagnostics.render import renderer
from shapecheck.harness.changes import changes_since
from shapecheck.harness.results import RunReport
from shapecheck.harness.show.changes import markdown_of
from shapecheck.harness.show.groups import rows_of_markdown
from shapecheck.project.source_lines import shown


def render(report: RunReport, stream: TextIO, form: str) -> None:
    """Write the findings; a comment on a pull request has only what is new since an earlier report."""
    if form == "markdown":
        _render_markdown(report, stream)
        return
    found, sources = shown(report.all_diagnostics(), form)
    renderer(form)(found, stream, sources)


def _render_markdown(report: RunReport, stream: TextIO) -> None:
    """For many findings, an overview by code and package comes first."""
    changes = None if report.earlier is None else changes_since(report.earlier, report)
    diagnostics = report.all_diagnostics() if changes is None else changes.new
    found, extra = shown(diagnostics, "markdown")
    extra["overview"] = list(rows_of_markdown(diagnostics))
    if changes is not None:
        extra["summary"] = {"baseline": {}}
    renderer("markdown")(found, stream, extra)
    if changes is not None:
        stream.writelines(f"\n{line}\n" for line in markdown_of(changes))
