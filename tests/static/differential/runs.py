"""Runs of the static engine that must not differ in what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from pathlib import Path
from typing import Any

import einops

from shapecheck.diagnostics import DEFAULT_CHECKS, Diagnostic
from shapecheck.project.files import display_path
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.parallel import check_in_parallel

REPOSITORY = Path(__file__).parents[3]
_PAIRS = sorted((REPOSITORY / "tests" / "cases").glob("[0-9]*"))
CASES = sorted(file for pair in _PAIRS for file in pair.glob("*.py"))
EXAMPLES = sorted((REPOSITORY / "examples").rglob("*.py"))
PACKAGE = sorted(Path(einops.__file__).parent.rglob("*.py"))
"""A package that every test environment has, of modules that import each other."""
FILES = [*CASES, *EXAMPLES, *PACKAGE]

Findings = dict[Path, list[Diagnostic]]
"""What running each file finds, by file."""


def findings(
    files: Sequence[Path], order: Iterable[Path] | None = None, *, asked: Set[str] = frozenset(), memo: bool = True
) -> Findings:
    """What one checker finds in `files`, run in this order; `asked` are all that are reported about, if not these."""
    checker = Checker(files)
    if not memo:
        switch_memo_off(checker)
    reported = set(asked or displayed(files))
    return {path: checker.outcome(path, reported).diagnostics for path in order or files}


def displayed(files: Iterable[Path]) -> Set[str]:
    """The paths as findings have them."""
    return {display_path(path) for path in files}


def findings_in_processes(files: Sequence[Path], jobs: int) -> Findings:
    """The same, spread over processes as `--jobs` does."""
    outcomes = check_in_parallel(files, (), frozenset(DEFAULT_CHECKS), jobs, files)
    return {one.path: one.diagnostics for one in outcomes}


def switch_memo_off(checker: Checker) -> None:
    """Makes the checker run every call. The only place of these tests that knows the memo."""

    class Off:
        def call(
            self, _machine: object, _function: object, _given: object, _since: int, run: Callable[[], Any], **_: object
        ) -> Any:
            return run()

    checker.session.memo = Off()  # type: ignore[assignment]
