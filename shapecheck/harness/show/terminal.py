"""Text for people: a table of the cases, what could not be run and why, the findings of each case, one summary line.

On a terminal with color and the source of each finding; elsewhere every line is plain and is never wrapped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from shapecheck.diagnostics import Diagnostic, Note
from shapecheck.diagnostics.marked import marked_part
from shapecheck.diagnostics.render.text import coloured, parts, wants_colour
from shapecheck.harness.changes import changes_since
from shapecheck.harness.results import CaseResult, Cost, RunReport, Status
from shapecheck.harness.show import figures
from shapecheck.harness.show.changes import lines_of
from shapecheck.harness.show.details import show_details
from shapecheck.harness.show.origins import origins
from shapecheck.harness.show.summary import sentence
from shapecheck.harness.show.table import Column, print_table
from shapecheck.project.source_lines import SourceLines

_MOST = 4
"""The number of sizes and outputs that the table of cases shows."""
_NOT_RUN = (Status.SKIPPED, Status.UNBUILT, Status.ENDED)
_FEW = 3
"""The number of cases with the same reason that are named."""
STYLES = {
    Status.PASSED: "green",
    Status.FAILED: "bold red",
    Status.SKIPPED: "dim",
    Status.UNBUILT: "yellow",
    Status.ENDED: "bold magenta",
}


def render(report: RunReport, stream: TextIO) -> None:
    """Write the output of `show`, with color if the stream is a terminal that supports it."""
    show(report, Console(file=stream, force_terminal=wants_colour(stream), highlight=False))


def show(report: RunReport, console: Console, verbose: bool = False) -> None:
    """Print the whole report; `verbose` adds the checks and the module tree of each case."""
    shown = [case for case in report.cases if verbose or case.outcome is not Status.SKIPPED]
    if shown:
        print_table(_columns(shown), console)
        for line in origins(shown):
            _line(Text(line, style="dim"), console)
        if any(case.outcome in _NOT_RUN for case in report.cases):
            console.print()
    _show_not_run(report.cases, console, _FEW if not verbose else len(report.cases))
    if verbose:
        for case in report.cases:
            show_details(case, console)
    sources = SourceLines()
    _show_findings("", report.diagnostics, console, sources)
    for case in report.cases:
        _show_findings(case.name, case.diagnostics, console, sources)
    if report.cases or report.diagnostics:
        console.print()
    _line(Text(sentence(report), style="bold"), console)
    if report.earlier is not None:
        for line in lines_of(changes_since(report.earlier, report)):
            _line(Text(line), console)


def _columns(cases: Sequence[CaseResult]) -> list[Column]:
    def cost(figure: Callable[[Cost], str]) -> list[str]:
        return ["" if case.cost is None else figure(case.cost) for case in cases]

    styles = [STYLES[case.outcome] for case in cases]
    parameters = [figures.count(case.modules[0].parameters) if case.modules else "" for case in cases]
    times = cost(lambda one: "" if one.seconds is None else figures.duration(one.seconds))
    return [
        Column("case", [case.name for case in cases]),
        Column("device", [case.device if case.inputs else "" for case in cases], rank=2),
        Column("outcome", [case.outcome.value for case in cases], styles=styles),
        Column("checks", [_checks(case) for case in cases], rank=1),
        Column("sizes", [_some(figures.sizes(case.sizes).split(" "), " ") for case in cases], rank=8),
        Column("output", [_some(case.outputs, ", ") for case in cases], rank=7),
        Column("parameters", parameters, rank=6, right=True),
        Column("FLOPs", cost(lambda one: figures.count(one.flops)), rank=4, right=True),
        Column("memory", cost(lambda one: figures.size(figures.memory(one))), rank=5, right=True),
        Column("time", times, rank=3, right=True),
    ]


def _some(texts: Sequence[str], between: str) -> str:
    """The first few items: a column is as wide as its widest cell."""
    more = [f"and {len(texts) - _MOST} more"] if len(texts) > _MOST else []
    return between.join([*texts[:_MOST], *more])


def _checks(case: CaseResult) -> str:
    counts = figures.checks(case.checks)
    return ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count)


def _show_not_run(cases: Sequence[CaseResult], console: Console, most: int) -> None:
    """Cases that did not finish, with the reason and the fix; of those with one reason only some."""
    left = [case for case in cases if case.outcome in _NOT_RUN]
    by_reason: dict[tuple[Status, str], list[CaseResult]] = {}
    for case in left:
        by_reason.setdefault((case.outcome, " ".join(case.detail.split())), []).append(case)
    for (outcome, reason), several in by_reason.items():
        said = (outcome.value, STYLES[outcome])
        for case in several[:most]:
            place = f"{case.path}:{case.line}"
            _line(Text.assemble((place, "bold"), ": ", said, f": {case.name}: {reason}"), console)
        if len(several) > most:
            more = f": {len(several) - most} more for the same reason; use --verbose to list them"
            _line(Text.assemble(said, more), console)


def _show_findings(case: str, diagnostics: Sequence[Diagnostic], console: Console, sources: SourceLines) -> None:
    if not diagnostics:
        return
    console.print()
    if case:
        _line(Text(case, style="bold underline"), console)
    for diagnostic in sorted(diagnostics):
        for number, part in enumerate(parts(_with_module(diagnostic))):
            _line(coloured(*part), console)
            if not number and console.is_terminal:
                _show_source(diagnostic, console, sources)


def _with_module(diagnostic: Diagnostic) -> Diagnostic:
    if not diagnostic.module:
        return diagnostic
    place = (diagnostic.path, diagnostic.line, diagnostic.column)
    return replace(diagnostic, notes=(*diagnostic.notes, Note(*place, f"in the module {diagnostic.module}")))


def _show_source(diagnostic: Diagnostic, console: Console, sources: SourceLines) -> None:
    """The line of a finding, with a marker under its code."""
    text = sources.line(diagnostic.path, diagnostic.line).replace("\t", " ")
    if not text.strip():
        return
    start, end = marked_part(diagnostic, text)
    number = f"{diagnostic.line:>6}"
    _line(Text.assemble((f"{number} │ ", "dim"), text), console)
    mark = " " * cell_len(text[:start]) + "^" * max(cell_len(text[start:end]), 1)
    _line(Text.assemble((f"{'':>{len(number)}} │ ", "dim"), (mark, "red")), console)


def _line(text: Text, console: Console) -> None:
    console.print(text, soft_wrap=True, highlight=False)
