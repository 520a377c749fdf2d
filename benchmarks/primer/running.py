"""Fetching and checking packages, several at a time, in the order of the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks import trees
from benchmarks.check_runs.checking import Result
from benchmarks.check_runs.revisions import Revision
from benchmarks.check_runs.sources import Sources
from benchmarks.check_runs.stored import Checks
from benchmarks.primer.errors import FetchError
from benchmarks.primer.fetching import Fetcher
from benchmarks.primer.packages import Package
from benchmarks.primer.verdicts import Judgement, Verdict, about, judge


@dataclass(frozen=True, slots=True)
class Work:
    """What is the same for all packages of a run."""

    fetcher: Fetcher
    checks: Checks
    head: Revision
    base: Revision | None
    verdicts: Sequence[Verdict]


@dataclass(frozen=True, slots=True)
class Missing:
    """A package whose source is not available."""

    package: Package
    error: FetchError


@dataclass(frozen=True, slots=True)
class Checked:
    """One package: what the revisions found in it."""

    package: Package
    lines: int
    head: Result
    base: Result | None
    judgement: Judgement


def check_all(packages: Sequence[Package], work: Work, jobs: int) -> Iterator[Checked | Missing]:
    """`jobs` packages at a time. A package that cannot be fetched ends nothing; a check that fails ends the run."""
    executor = ThreadPoolExecutor(jobs)
    try:
        yield from executor.map(lambda package: _check(package, work), packages)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _check(package: Package, work: Work) -> Checked | Missing:
    try:
        root = work.fetcher.fetched(package)
    except FetchError as error:
        return Missing(package, error)
    # started from the directory of all packages: Python would import modules of a package from its own directory
    sources = Sources(work.fetcher.directory, root.name, prefix=f"{root.name}/")
    head = work.checks.result(work.head, package.name, sources)
    base = work.checks.result(work.base, package.name, sources) if work.base else None
    return Checked(package, _lines(root), head, base, judge(head.diagnostics, about(package, work.verdicts)))


def _lines(root: Path) -> int:
    return sum((root / name).read_bytes().count(b"\n") for name in trees.python_files(root))
