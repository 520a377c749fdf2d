"""What is planted in a file of models, and what is found there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from shapecheck.diagnostics import Severity
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.results import CaseResult
from shapecheck.harness.wishes import Target, Wishes

_PLANTED = re.compile(r"# planted: ([\w-]+)")

Finding = tuple[int, str]


def target(file: Path) -> Target:
    """A file of models as what a run is asked for."""
    return Target(file, f"models_{file.stem}", file.parent)


def wanted(file: Path, first: int, last: int) -> set[Finding]:
    """Line and code of each fault that is planted between two lines."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return {
        (number, found.group(1))
        for number, line in enumerate(lines, 1)
        if first <= number < last and (found := _PLANTED.search(line))
    }
