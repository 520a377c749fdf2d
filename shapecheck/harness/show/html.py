"""A self-contained HTML page: it works offline and blocks network access.

The cases, their findings and checks are static HTML; the modules are data from which a script builds the
tree and the bars when a case is opened, so that large reports open at once.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TextIO

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from shapecheck import __version__
from shapecheck.diagnostics.render.junit import xml_text
from shapecheck.harness.changes import changes_since
from shapecheck.harness.results import RunReport, Status
from shapecheck.harness.show import figures, summary
from shapecheck.harness.show.changes import lines_of
from shapecheck.harness.show.groups import groups_of
from shapecheck.harness.show.modules import Texts
from shapecheck.harness.show.page import environment, places, view
from shapecheck.project.source_lines import SourceLines


def render(report: RunReport, stream: TextIO) -> None:
    """Write the page."""
    sources, texts = SourceLines(), Texts({"": 0})
    cases = [view(case, sources, texts) for case in report.cases]
    script = _asset("report.js")
    page = _templates().get_template("report.html.j2").render(
        report=report,
        cases=cases,
        groups=groups_of(report.all_diagnostics()),
        changes=_changes(report),
        places=places(report.diagnostics, sources),
        environment=environment(report),
        texts=list(texts.known),
        sentence=summary.sentence(report),
        outcomes=summary.outcomes(report),
        severities=summary.severities(report.all_diagnostics()),
        first_bad=_first_bad(report),
        version=__version__,
        style=Markup(_asset("report.css")),
        script=Markup(script),
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
    )  # fmt: skip
    stream.write(xml_text(page))


def _changes(report: RunReport) -> list[str]:
    """What is new and what is fixed, if the report is compared with an earlier one."""
    return [] if report.earlier is None else list(lines_of(changes_since(report.earlier, report)))


def _first_bad(report: RunReport) -> int:
    """The index of the case that is open at first: one that failed; -1 for none."""
    bad = (number for number, case in enumerate(report.cases) if case.outcome in (Status.FAILED, Status.ENDED))
    return next(bad, -1)


@cache
def _templates() -> Environment:
    """Templates with autoescaping, in which an unknown name is an error."""
    found = Environment(
        loader=PackageLoader("shapecheck.harness.show"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "count": figures.count,
        "size": figures.size,
        "duration": figures.duration,
        "sizes": figures.sizes,
        "checks": figures.checks,
        "memory": figures.memory,
    }
    return found


def _asset(name: str) -> str:
    """The source of a style sheet or a script of the page."""
    loader, templates = _templates().loader, _templates()
    assert loader is not None
    return loader.get_source(templates, name)[0]
