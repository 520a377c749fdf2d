"""Fetching and checking both commits of each bug, several bugs at a time, in the order of the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.check_runs.revisions import Revision
from benchmarks.check_runs.sources import Sources
from benchmarks.check_runs.stored import Checks
from benchmarks.primer.errors import FetchError
from benchmarks.primer.fetching import Fetcher
from benchmarks.real_bugs.bugs import Bug
from benchmarks.real_bugs.judging import Judgement, judge


@dataclass(frozen=True, slots=True)
class Work:
    """What is the same for all bugs of a run."""

    fetcher: Fetcher
    checks: Checks
    head: Revision
    package: bool
    """Check the whole top-level directory of the file, not the file alone."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A bug whose source is not available."""

    bug: Bug
    error: FetchError


@dataclass(frozen=True, slots=True)
class Checked:
    """One bug and what was found."""

    bug: Bug
    judgement: Judgement
    seconds: float


def check_all(bugs: Sequence[Bug], work: Work, jobs: int) -> Iterator[Checked | Missing]:
    """`jobs` bugs at a time. A commit that cannot be fetched ends nothing; a check that fails ends the run."""
    executor = ThreadPoolExecutor(jobs)
    try:
        yield from executor.map(lambda bug: _check(bug, work), bugs)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _check(bug: Bug, work: Work) -> Checked | Missing:
    try:
        roots = [work.fetcher.fetched(bug.source(commit)) for commit in (bug.parent, bug.fix)]
        before, after = [_lines(root, bug) for root in roots]
    except FetchError as error:
        return Missing(bug, error)
    if max(bug.lines) > len(before):
        return Missing(bug, FetchError(f"{bug.path} has {len(before)} lines"))
    old, new = [_findings(root, bug, work) for root in roots]
    return Checked(bug, judge(bug.lines, old[0], new[0], (before, after)), old[1] + new[1])


def _lines(root: Path, bug: Bug) -> list[str]:
    try:
        return (root / bug.path).read_text(errors="replace").splitlines()
    except OSError as error:
        raise FetchError(f"{root.name} has no {bug.path}") from error


def _findings(root: Path, bug: Bug, work: Work) -> tuple[list[dict[str, Any]], float]:
    """The findings in the file of the bug, and the time that they took."""
    checked = bug.path.partition("/")[0] if work.package else bug.path
    # started from the directory of all repositories: Python would import modules of one from its own directory
    sources = Sources(work.fetcher.directory, f"{root.name}/{checked}", prefix=f"{root.name}/")
    result = work.checks.result(work.head, bug.name, sources)
    return [one for one in result.diagnostics if one["path"] == bug.path], result.seconds
