"""The text of a failed case, in the style of pytest's own reports."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from pathlib import Path

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.results import CaseResult, Status

_CONTEXT = 5


def failure_text(result: CaseResult) -> str:
    """The findings, each at its line of source; empty if there is no error, no warning, and it was not ended."""
    found = [one for one in result.diagnostics if one.severity is not Severity.NOTE]
    if not found and result.outcome in (Status.PASSED, Status.SKIPPED, Status.UNBUILT):
        return ""
    lines = [f"{result.name} on {result.device}: {_headline(found) or result.detail}"]
    for one in found:
        lines += ["", *_finding(one)]
    return "\n".join(lines)


def _headline(found: list[Diagnostic]) -> str:
    """One line, for the summary: the first error and how many more there are."""
    if not found:
        return ""
    first = min(found, key=lambda one: one.severity is not Severity.ERROR)
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{first.message.partition(chr(10))[0]} [{first.code}]{more}"


def _finding(one: Diagnostic) -> Iterator[str]:
    yield from _source(one)
    first, *more = one.message.splitlines() or [""]
    yield f"E       {first}"
    yield from (f"E         {line}" for line in more)
    yield from (f"E         {note.path}:{note.line}: {note.message}" for note in one.notes)
    yield ""
    where = f" in {one.module}" if one.module else ""
    yield f"{one.path}:{one.line}: {one.severity.value}{where} [{one.code}]"


def _source(one: Diagnostic) -> Iterator[str]:
    """The line and a few before it, from its `def` on."""
    path = str(Path(one.path).absolute())
    linecache.checkcache(path)
    first = one.line
    while first > max(1, one.line - _CONTEXT) and not _opens(linecache.getline(path, first)):
        first -= 1
    for number in range(first, one.line + 1):
        text = linecache.getline(path, number).rstrip()
        if text:
            yield f"{'>' if number == one.line else ' '}{text[1:] if text[:1] == ' ' else f'  {text}'}"


def _opens(line: str) -> bool:
    return line.lstrip().startswith(("def ", "async def ", "class "))
