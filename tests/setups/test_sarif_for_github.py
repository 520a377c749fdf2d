"""What GitHub's code scanning asks of a SARIF file, beyond the schema of SARIF 2.1.0.

https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shapecheck.diagnostics import CODES, Diagnostic, Note, Severity
from shapecheck.diagnostics.render.sarif import render

from .conftest import shapecheck

LONGEST_DESCRIPTION = 1024
REGION = {"startLine", "startColumn", "endLine", "endColumn"}


def complaints(report: dict[str, Any]) -> Iterator[str]:
    assert report["version"] == "2.1.0"
    assert report["$schema"].startswith("https://")
    for run in report["runs"]:
        rules = run["tool"]["driver"]["rules"]
        for rule in rules:
            descriptions = [rule["shortDescription"]["text"], rule["fullDescription"]["text"]]
            if not all(0 < len(text) <= LONGEST_DESCRIPTION for text in descriptions) or not rule["help"]["text"]:
                yield f"the rule {rule['id']} is not described"
        for result in run["results"]:
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                yield "a result of another rule"
            if result["level"] not in ("error", "warning", "note") or not result["message"]["text"]:
                yield "a result without level or message"
            yield from misplaced(result)


def misplaced(result: dict[str, Any]) -> Iterator[str]:
    [place] = [one["physicalLocation"] for one in result["locations"]]
    artifact = place["artifactLocation"]
    if re.match(r"/|\w+:|\.\.", artifact["uri"]) or artifact["uriBaseId"] != "%SRCROOT%":
        yield f"{artifact['uri']} does not lie in the checkout"
    if set(place["region"]) != REGION or min(place["region"].values()) < 1:
        yield "a region that is not whole"
    linked = {int(number) for number in re.findall(r"\]\((\d+)\)", result["message"]["text"])}
    if linked != {one["id"] for one in result.get("relatedLocations", [])}:
        yield "a related location that the message does not link, which GitHub does not show"


@pytest.mark.parametrize("command", [("check",), ("fix", "--check")], ids=" ".join)
def test_a_report_is_what_code_scanning_takes(command: tuple[str, ...], project: Path) -> None:
    done = shapecheck(project, *command, "--format", "sarif", GITHUB_WORKSPACE=str(project.parent))
    report = json.loads(done.stdout)
    assert list(complaints(report)) == []
    [result] = report["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "project/head.py"


def test_every_code_is_described() -> None:
    notes = (Note("net.py", 1, 1, "the layer takes 128: layers[0]"),)
    found = [Diagnostic("net.py", 1, 1, 1, 9, code, Severity.ERROR, "it does not fit", notes) for code in CODES]
    stream = io.StringIO()
    render(found, stream, {})
    report = json.loads(stream.getvalue())
    assert list(complaints(report)) == []
    assert len(report["runs"][0]["tool"]["driver"]["rules"]) == len(CODES)
