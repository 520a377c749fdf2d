"""`--baseline`: compare a run with the known findings; an unusable baseline ends the command with exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shapecheck.cli._check_report import CheckReport
from shapecheck.cli._errors import usage_failure
from shapecheck.project import baseline


def require_readable_baseline(file: Path) -> None:
    """Report a baseline that cannot be read before the work begins."""
    with _exit_on_baseline_error():
        baseline.read(file)


def apply_baseline(file: Path, findings: CheckReport, write: bool, codes: frozenset[str]) -> CheckReport:
    """The findings that are not in the baseline; with `write`, all of them are added to it first."""
    files = frozenset(findings.found.files)
    with _exit_on_baseline_error():
        if write:
            baseline.write(findings.reported, file, files, codes)
        compared = baseline.compare(findings.reported, file, files, codes)
    return findings.with_baseline(compared, file if write else None)


@contextmanager
def _exit_on_baseline_error() -> Iterator[None]:
    try:
        yield
    except baseline.BaselineError as error:
        raise usage_failure(error) from error
