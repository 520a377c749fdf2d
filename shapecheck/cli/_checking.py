"""The run behind `shapecheck check`: files to what is to be reported of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shapecheck.cli._progress import with_progress
from shapecheck.diagnostics import TROUBLES
from shapecheck.project.files import display_path
from shapecheck.project.silencing import Silenced, silence, unused_ignores
from shapecheck.project.spread import cores
from shapecheck.settings import Settings
from shapecheck.static.entry import Checker, Outcome, merged
from shapecheck.static.many import check_many
from shapecheck.static.watching import Watch


@dataclass(frozen=True)
class Watched:
    """A run in one process that was watched."""

    checker: Checker
    watch: Watch
    seconds: dict[str, float]
    """How long each phase took."""


def check_all(files: Sequence[Path], roots: Sequence[Path], codes: frozenset[str], jobs: int | None) -> list[Outcome]:
    """The outcome of each file, in their order; `codes` are those whose rules are asked."""
    return list(with_progress(check_many(files, roots, codes, jobs or cores()), len(files)))


def check_watched(files: Sequence[Path], roots: Sequence[Path], codes: frozenset[str]) -> tuple[list[Outcome], Watched]:
    """The same, and what was seen on the way."""
    began = time.perf_counter()
    checker = Checker(files, roots, codes)
    watch = checker.machine.watch = Watch()
    for path in files:
        checker.project.load(path)
    parsed = time.perf_counter()
    asked = {display_path(path) for path in files}
    results = (checker.outcome(path, asked) for path in files)
    outcomes = list(with_progress(results, len(files)))
    seconds = {"read and parse": parsed - began, "run": time.perf_counter() - parsed}
    return outcomes, Watched(checker, watch, seconds)


def reported(outcomes: Sequence[Outcome], settings: Settings, folders: Sequence[Path]) -> Silenced:
    """What is left of the findings when codes, severities and comments have had their say.

    folders: those that were asked for.
    """
    found = sorted(merged((one.path, one.diagnostics) for one in outcomes))
    result = silence(settings.judged(found))
    whole = [one.path for one in outcomes if _is_whole(one) and any(map(one.path.is_relative_to, folders))]
    unused = unused_ignores(whole, result.used, settings.active)
    result.heard = sorted([*result.heard, *settings.judged(unused)])
    return result


def _is_whole(outcome: Outcome) -> bool:
    """Whether all is known of a file that can be; but one that is named alone is run without those that call it."""
    display = display_path(outcome.path)
    return outcome.whole and not any(found.path == display and found.code in TROUBLES for found in outcome.diagnostics)
