"""GitLab's report of code quality: its merge requests show the findings that the target branch does not have.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TextIO

from shapecheck.diagnostics.checkout import path_in_checkout, with_slashes
from shapecheck.diagnostics.model import Diagnostic, Severity

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(diagnostics: Iterable[Diagnostic], stream: TextIO, extra: Mapping[str, object]) -> None:
    """Write the whole report as one JSON list."""
    occurrences: Counter[tuple[str, ...]] = Counter()
    json.dump([_issue(one, occurrences) for one in diagnostics], stream, indent=2)
    stream.write("\n")


def _issue(diagnostic: Diagnostic, occurrences: Counter[tuple[str, ...]]) -> dict[str, object]:
    path = with_slashes(path_in_checkout(diagnostic.path))
    notes = (f"{note.path}:{note.line}:{note.column}: note: {note.message}" for note in diagnostic.notes)
    return {
        "description": "\n".join([diagnostic.message, *notes]),
        "check_name": diagnostic.code,
        "fingerprint": _fingerprint(path, diagnostic, occurrences),
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {"path": path, "lines": {"begin": diagnostic.line}},
    }


def _fingerprint(path: str, diagnostic: Diagnostic, occurrences: Counter[tuple[str, ...]]) -> str:
    """What identifies the finding across commits: not its line, because code may move."""
    key = (path, diagnostic.code, diagnostic.message)
    occurrences[key] += 1
    identity = json.dumps([*key, occurrences[key]])
    return hashlib.sha256(identity.encode()).hexdigest()[:32]
