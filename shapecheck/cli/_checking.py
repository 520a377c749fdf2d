"""The run behind `shapecheck check`: from files to the diagnostics to report."""

from __future__ import annotations

import atexit
import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.cli._progress import ProgressBar, with_progress
from shapecheck.diagnostics import FAILURES
from shapecheck.project.files import display_path
from shapecheck.project.garbage import garbage_collection
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.parallel import available_cores
from shapecheck.project.source_digest import sources_digest

if TYPE_CHECKING:
    from shapecheck.project.cache import Cache
    from shapecheck.project.cache_file import CacheFile
    from shapecheck.static.entry.checker import Checker
    from shapecheck.static.observing.observer import RunObserver


class WatchedRun(NamedTuple):
    """A run in one process whose expressions were recorded."""

    checker: Checker
    watch: RunObserver
    seconds: dict[str, float]
    """How long each phase took."""


class CheckedFiles(NamedTuple):
    """The outcome of each file, in order, and how many of them come from the cache."""

    outcomes: list[FileOutcome]
    from_cache: int = 0


class SearchPaths(NamedTuple):
    """The directories where imports are looked up: those of the project, and those with installed libraries."""

    roots: Sequence[Path]
    libraries: Sequence[Path] = ()


class CheckPlan(NamedTuple):
    """How files are checked."""

    paths: SearchPaths
    codes: frozenset[str]
    """The enabled codes."""
    jobs: int | None
    """The number of processes; by default one per core."""
    kept: CacheFile | None


def check_all(
    files: Sequence[Path], plan: CheckPlan, bar: ProgressBar, ready: Callable[[FileOutcome], object] = bool
) -> CheckedFiles:
    """Check the files that are not in the cache.

    ready: called with the outcome of each file, in the order of the files, as soon as it is available.
    """
    kept, paths = plan.kept, plan.paths
    cache = None if kept is None else _cache(kept, files, paths)
    known = {} if cache is None else {path: one for path in files if (one := cache.outcome(path)) is not None}
    left = [path for path in files if path not in known]
    run = bar.over(_run(left, plan, files)) if left else iter(())
    outcomes = []
    for path in files:
        outcome = known.get(path) or next(run)
        if cache is not None and path not in known:
            cache.add(outcome)
        ready(outcome)
        outcomes.append(outcome)
    next(run, None)  # ends the progress bar
    if cache is not None and kept is not None and cache.is_new:
        kept.write(cache.known())
    return CheckedFiles(outcomes, len(known))


def _cache(kept: CacheFile, files: Sequence[Path], paths: SearchPaths) -> Cache:
    from shapecheck.project.cache import Cache  # noqa: PLC0415 - not needed with --no-cache

    return Cache(kept.read(), files, paths.roots, paths.libraries)


def _run(files: Sequence[Path], plan: CheckPlan, asked: Sequence[Path]) -> Iterator[FileOutcome]:
    from shapecheck.static.entry.parallel import check_in_parallel  # noqa: PLC0415 - not needed if all is cached

    atexit.register(gc.freeze)  # otherwise Python searches all trees for garbage once more at exit
    processes = plan.jobs or available_cores()
    return check_in_parallel(files, plan.paths.roots, plan.codes, processes, asked, plan.paths.libraries)


def cache_key(wanted: Sequence[Path], paths: SearchPaths, codes: frozenset[str], folder: Path) -> list[str]:
    """Everything besides the files that determines the findings. `folder` is the directory of the cache."""
    parts = [sources_digest(memo=str(folder / "sources")), sys.version, str(Path.cwd())]
    libraries = ["libraries", *map(str, paths.libraries)]
    return [*parts, *sorted(codes), "roots", *map(str, paths.roots), *libraries, "wanted", *map(str, wanted)]


def check_watched(
    files: Sequence[Path], paths: SearchPaths, codes: frozenset[str]
) -> tuple[list[FileOutcome], WatchedRun]:
    """Check the files and record every expression."""
    from shapecheck.static.entry.checker import Checker  # noqa: PLC0415
    from shapecheck.static.observing.observer import RunObserver  # noqa: PLC0415

    atexit.register(gc.freeze)  # as above
    began = time.perf_counter()
    watch = RunObserver()
    checker = Checker(files, paths.roots, codes, watch, paths.libraries)
    asked = {display_path(path) for path in files}
    with garbage_collection(wanted=False):
        for path in files:
            checker.project.load(path)
        parsed = time.perf_counter()
        outcomes = list(with_progress((checker.outcome(path, asked) for path in files), len(files)))
    seconds = {"read and parse": parsed - began, "run": time.perf_counter() - parsed}
    return outcomes, WatchedRun(checker, watch, seconds)


def cut_short(outcomes: Sequence[FileOutcome]) -> tuple[str, ...]:
    """The files that were not checked to the end, except those with a finding about that."""
    return tuple(
        display_path(one.path)
        for one in outcomes
        if not one.whole and not any(found.code in FAILURES for found in one.diagnostics)
    )
