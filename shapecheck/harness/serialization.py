"""The report of a run as JSON, written and read."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import msgspec

from shapecheck.diagnostics import Diagnostic
from shapecheck.diagnostics.render import renderer
from shapecheck.harness.results import CaseResult, RunReport


class ReportError(Exception):
    """A file is not a report of a run; the message is one line."""


def as_json(report: RunReport) -> str:
    """The report in the form of all front ends, with `environment` and `cases` in addition."""
    stream = io.StringIO()
    extra = {
        "environment": dict(report.environment),
        "seconds": report.seconds,
        "cases": [_case(case) for case in report.cases],
    }
    renderer("json")(report.all_diagnostics(), stream, extra)
    return stream.getvalue()


def read_report(path: Path) -> RunReport:
    """A report written by `as_json`. Raises ReportError for a file that cannot be read or is not a report."""
    try:
        return parsed(path.read_bytes())
    except OSError as error:
        raise ReportError(f"{path}: cannot read: {error.strerror or error}") from None
    except (msgspec.DecodeError, KeyError, ValueError, TypeError, RecursionError) as error:
        raise ReportError(f"{path}: expected a report of `shapecheck run --format json`: {error}") from None


def parsed(content: bytes) -> RunReport:
    """A report from its JSON; raises exceptions of msgspec, or KeyError."""
    plain = msgspec.json.decode(content)
    diagnostics = msgspec.convert(plain["diagnostics"], tuple[Diagnostic, ...])
    cases = msgspec.convert(plain["cases"], tuple[CaseResult, ...])
    names = {case.name for case in cases}
    return RunReport(
        environment=dict(plain["environment"]),
        cases=tuple(replace(case, diagnostics=_of(case.name, diagnostics)) for case in cases),
        diagnostics=tuple(one for one in diagnostics if one.case not in names),
        seconds=float(plain["seconds"]),
    )


def _of(case: str, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(one for one in diagnostics if one.case == case)


def _case(case: CaseResult) -> dict[str, object]:
    """The case without its diagnostics, which are listed with all others."""
    plain: dict[str, object] = msgspec.to_builtins(case)
    del plain["diagnostics"]
    return plain
