"""Inside a worker process: imports a target, and examines one of its cases."""

from __future__ import annotations

from shapecheck.harness.results import CaseResult
from shapecheck.harness.wishes import Target, Wishes


def list_cases(target: Target) -> list[CaseResult]:
    """The cases of a target: names, places, and why those that are not to be run are not.

    Raises whatever the import of the target does, SystemExit among it.
    """
    raise NotImplementedError


def examine(target: Target, name: str, wishes: Wishes) -> CaseResult:
    """Builds and runs one case, with all its checks."""
    raise NotImplementedError
