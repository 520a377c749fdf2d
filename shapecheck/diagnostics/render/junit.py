"""JUnit XML, which CI services show as test results: a suite for each file, a case for each finding.

Errors and warnings are failures. A note is a passed case; so is the only case of a report without findings, because
some services treat a report without cases as broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from shapecheck.diagnostics.model import Diagnostic, Severity
from shapecheck.diagnostics.render.text import parts

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(diagnostics: Iterable[Diagnostic], stream: TextIO, extra: Mapping[str, object]) -> None:
    """Write the whole report as one XML document, in ASCII, whatever the stream's encoding is."""
    root = Element("testsuites", name="shapecheck")
    for path, found in groupby(diagnostics, key=attrgetter("path")):
        suite = SubElement(root, "testsuite", name=xml_text(path))
        failures = [add_finding(suite, diagnostic) for diagnostic in found]
        _count(suite, len(failures), sum(failures))
    if not len(root):
        suite = SubElement(root, "testsuite", name="shapecheck")
        SubElement(suite, "testcase", name="no findings", classname="shapecheck")
        _count(suite, 1, 0)
    _count(root, *(sum(int(suite.get(name, 0)) for suite in root) for name in ("tests", "failures")))
    indent(root)
    stream.write(tostring(root, encoding="us-ascii", xml_declaration=True).decode("ascii") + "\n")


def add_finding(suite: Element, diagnostic: Diagnostic) -> bool:
    """Add a case for a finding; return whether it is a failure."""
    place = f"{diagnostic.line}:{diagnostic.column}"
    path = xml_text(diagnostic.path)
    case = SubElement(
        suite, "testcase", name=f"{diagnostic.code} at {place}", classname=path, file=path, line=str(diagnostic.line)
    )
    failed = diagnostic.severity is not Severity.NOTE
    if failed:
        said = SubElement(case, "failure", message=xml_text(diagnostic.message), type=diagnostic.severity.value)
    else:
        said = SubElement(case, "system-out")
    said.text = xml_text(finding_text(diagnostic))
    return failed


def finding_text(diagnostic: Diagnostic) -> str:
    """The finding and its notes, a line each, as in the text format."""
    return "\n".join(f"{place}: {level.value}: {said}{code}" for place, level, said, code in parts(diagnostic))


def _count(element: Element, tests: int, failures: int) -> None:
    for name, number in (("tests", tests), ("failures", failures), ("errors", 0)):
        element.set(name, str(number))


def xml_text(text: str) -> str:
    """The text with characters that XML 1.0 does not allow as Python escapes."""
    return _NOT_XML.sub(lambda found: ascii(found[0])[1:-1], text)
