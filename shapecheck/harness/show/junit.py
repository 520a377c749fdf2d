"""JUnit XML: one suite for the run; for each case a test named `run`, and one for each of its checks.

Cases that were not built or do not apply are skipped, with the reason; findings without a case are separate tests.
"""

from __future__ import annotations

from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from shapecheck.diagnostics.render.junit import add_finding, finding_text, xml_text
from shapecheck.harness.results import CaseResult, CheckResult, RunReport, Status

_BAD = {Status.FAILED, Status.ENDED}
_ABSENT = {Status.SKIPPED, Status.UNBUILT}


def render(report: RunReport, stream: TextIO) -> None:
    """Write the whole report as one XML document, in ASCII for any encoding of the stream."""
    root = Element("testsuites", name="shapecheck")
    suite = SubElement(root, "testsuite", name="shapecheck run")
    for diagnostic in report.diagnostics:
        add_finding(suite, diagnostic)
    for case in report.cases:
        _add_case(suite, case)
    if not len(suite):
        SubElement(suite, "testcase", name="no cases", classname="shapecheck")
    for element in (root, suite):
        _count(element, suite, report.seconds)
    indent(root)
    stream.write(tostring(root, encoding="us-ascii", xml_declaration=True).decode("ascii") + "\n")


def _add_case(suite: Element, case: CaseResult) -> None:
    findings = "\n".join(map(finding_text, case.diagnostics))
    seconds = case.seconds - sum(check.seconds for check in case.checks)
    _add_test(suite, case, CheckResult("run", case.outcome, case.detail, max(seconds, 0.0)), findings)
    for check in case.checks:
        _add_test(suite, case, check)


def _add_test(suite: Element, case: CaseResult, check: CheckResult, findings: str = "") -> None:
    test = SubElement(
        suite, "testcase", name=xml_text(check.name), classname=xml_text(case.name), file=xml_text(case.path),
        line=str(case.line), time=_seconds(check.seconds),
    )  # fmt: skip
    if check.outcome in _ABSENT:
        SubElement(test, "skipped", message=xml_text(check.detail or check.outcome.value))
    elif check.outcome in _BAD:
        first = findings.partition("\n")[0]
        message = check.detail or first or check.outcome.value
        said = SubElement(test, "failure", message=xml_text(message), type=check.outcome.value)
        said.text = xml_text(findings or check.detail)
    elif findings:
        SubElement(test, "system-out").text = xml_text(findings)


def _count(element: Element, suite: Element, seconds: float) -> None:
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
        element.set(name, str(sum(1 for _ in suite.iter(tag))))
    element.set("errors", "0")
    element.set("time", _seconds(seconds))


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
