"""What changed since an earlier report."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.changes import ReportChanges, changes_since
from shapecheck.harness.results import CaseResult, RunReport, Status
from shapecheck.harness.show import renderer

OLD = Diagnostic("net.py", 7, 9, 7, 20, "shape-mismatch", Severity.ERROR, "does not fit", case="net:Net")
NEW = replace(OLD, line=9, code="host-sync", severity=Severity.NOTE, message="waits")
NET = CaseResult("net:Net", "net.py", 3, Status.FAILED, diagnostics=(OLD,))
OTHER = CaseResult("other:Other", "other.py", 1, Status.PASSED)
LOST = replace(OLD, path="other.py", case="", code="failed-import", message="cannot import")


def net(*found: Diagnostic, outcome: Status = Status.FAILED) -> RunReport:
    return RunReport({}, (replace(NET, diagnostics=found, outcome=outcome),))


BEFORE = net(OLD)


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        (BEFORE, BEFORE, ReportChanges(known=1)),
        (BEFORE, net(replace(OLD, line=70)), ReportChanges(known=1)),
        (BEFORE, net(OLD, NEW), ReportChanges(new=(NEW,), known=1)),
        (BEFORE, net(OLD, replace(OLD, line=8)), ReportChanges(new=(replace(OLD, line=8),), known=1)),
        (
            BEFORE,
            net(outcome=Status.PASSED),
            ReportChanges(fixed=(OLD,), outcomes=(("net:Net", "failed", "passed"),)),
        ),
        (RunReport({}), BEFORE, ReportChanges(new=(OLD,), outcomes=(("net:Net", "", "failed"),))),
        (RunReport({}, (NET, OTHER)), BEFORE, ReportChanges(known=1, missing=1)),
        (BEFORE, RunReport({}, (OTHER,)), ReportChanges(outcomes=(("other:Other", "", "passed"),), missing=1)),
        (RunReport({}, (OTHER,), (LOST,)), RunReport({}, (OTHER,)), ReportChanges(fixed=(LOST,))),
        (RunReport({}, (NET,), (LOST,)), BEFORE, ReportChanges(known=1)),
    ],
    ids=[
        *("nothing", "a line that moves", "a new finding", "the same finding twice", "a fixed case", "a new case"),
        *("a run of some cases", "a run of others", "a fixed import", "an import that was not tried"),
    ],
)  # fmt: skip
def test_changes(earlier: RunReport, later: RunReport, expected: ReportChanges) -> None:
    assert changes_since(earlier, later) == expected


def shown(form: str, later: RunReport) -> str:
    stream = io.StringIO()
    renderer(form)(later, stream)
    return stream.getvalue()


def test_text_lists_the_changes_below_the_summary() -> None:
    text = shown("text", replace(net(NEW), earlier=BEFORE))
    assert text.partition("since the earlier report: ")[2].splitlines() == [
        "1 new finding, 1 fixed, 0 known, 0 cases with another outcome",
        "  new: net.py:9: note: waits [host-sync]",
        "  fixed: net.py:7: error: does not fit [shape-mismatch]",
    ]


def test_markdown_has_only_what_is_new() -> None:
    text = shown("markdown", replace(net(OLD, NEW), earlier=BEFORE))
    assert "### shapecheck: 1 new finding (1 note in 1 file)" in text
    assert "waits" in text
    assert "does not fit" not in text
    assert text.endswith("Since the earlier report: 1 new finding, 0 fixed, 1 known, 0 cases with another outcome.\n")


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_without_an_earlier_report_nothing_is_compared(form: str) -> None:
    assert "earlier" not in shown(form, net(OLD))


def test_other_formats_have_all_findings() -> None:
    assert shown("github", replace(BEFORE, earlier=BEFORE)) == shown("github", BEFORE)
    assert shown("json", replace(BEFORE, earlier=BEFORE)) == shown("json", BEFORE)
