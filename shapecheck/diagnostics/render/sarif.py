"""SARIF 2.1.0, which code scanning services and editors read: one run, a rule for each code that occurs.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

from shapecheck import __version__
from shapecheck.diagnostics.checkout import path_in_checkout, with_slashes
from shapecheck.diagnostics.codes import CODES
from shapecheck.diagnostics.model import Diagnostic, Note
from shapecheck.diagnostics.page import page


def render(diagnostics: Iterable[Diagnostic], stream: TextIO, extra: Mapping[str, object]) -> None:
    """Write the whole report as one JSON object; its levels have the names of our severities."""
    found = list(diagnostics)
    codes = sorted({diagnostic.code for diagnostic in found})
    driver = {"name": "shapecheck", "version": __version__, "rules": [_rule(code) for code in codes]}
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, codes.index(diagnostic.code)) for diagnostic in found],
    }
    summary = extra.get("summary")
    if isinstance(summary, Mapping) and (paths := summary.get("cut short")):
        stopped = [_notification(path) for path in paths]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": stopped}]
    report = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    json.dump(report, stream, indent=2)
    stream.write("\n")


def _notification(path: str) -> dict[str, Any]:
    """That the analysis of a file stopped early."""
    return {"level": "warning", "message": {"text": f"{with_slashes(path)}: stopped early, after too many steps"}}


def _rule(name: str) -> dict[str, Any]:
    code = CODES[name]
    text = page(code)
    return {
        "id": name,
        "shortDescription": {"text": code.summary},
        "fullDescription": {"text": code.summary},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": code.severity.value},
    }


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    region = {
        "startLine": diagnostic.line,
        "startColumn": diagnostic.column,
        "endLine": diagnostic.end_line,
        "endColumn": diagnostic.end_column,
    }
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity.value,
        "message": {"text": _message(diagnostic)},
        "locations": [_location(diagnostic.path, region)],
    }
    if diagnostic.case:
        result["properties"] = {"case": diagnostic.case, "module": diagnostic.module}
    if diagnostic.notes:
        result["relatedLocations"] = [_related(number, note) for number, note in enumerate(diagnostic.notes)]
    return result


def _message(diagnostic: Diagnostic) -> str:
    """The message with a link to each related location; GitHub shows only linked ones."""
    links = (f"\n[{_escaped(note.message)}]({number})" for number, note in enumerate(diagnostic.notes))
    return diagnostic.message + "".join(links)


def _escaped(text: str) -> str:
    return re.sub(r"[\[\]\\]", r"\\\g<0>", text)


def _related(number: int, note: Note) -> dict[str, Any]:
    region = {"startLine": note.line, "startColumn": note.column}
    return {"id": number, "message": {"text": note.message}, **_location(note.path, region)}


def _location(path: str, region: dict[str, int]) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(path), "region": region}}


def _artifact(named: str) -> dict[str, str]:
    path = path_in_checkout(named)
    if os.path.isabs(path):  # noqa: PTH117 - only the text matters
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(os.fsencode(with_slashes(path))), "uriBaseId": "%SRCROOT%"}
