"""`--baseline`: a run beside the findings that are known; what goes wrong with the file is one line and exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shapecheck.cli._findings import Findings
from shapecheck.cli._trouble import stopped
from shapecheck.project import baseline


def make_sure_of(file: Path) -> None:
    """Tell of a baseline that cannot be read before the work begins."""
    with _told():
        baseline.read(file)


def beside(file: Path, findings: Findings, write: bool, codes: frozenset[str]) -> Findings:
    """The findings that the baseline does not hold; with `write`, it holds them all from now on."""
    files = frozenset(findings.found.files)
    with _told():
        if write:
            baseline.write(findings.heard, file, files, codes)
        compared = baseline.compare(findings.heard, file, files, codes)
    return findings.beside(compared, file if write else None)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except baseline.BaselineError as error:
        raise stopped(error) from error
