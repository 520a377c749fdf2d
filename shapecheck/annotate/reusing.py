"""Analyzes files again, as far as another content of some can change the results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from shapecheck.project.cache import Cache, CacheContents
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.parallel import FileTask, run_parallel

_CHUNKS_A_PROCESS = 6

R = TypeVar("R")
Analyze = Callable[[Path], tuple[FileOutcome, R]]
"""Analyzes one file; the outcome says what was read for it."""


@dataclass(frozen=True)
class Surroundings:
    """Where imports are looked up, and how many processes run."""

    roots: Sequence[Path]
    libraries: Sequence[Path] = ()
    jobs: int = 1


Start = Callable[[Sequence[Path], Surroundings, Mapping[Path, bytes]], Analyze[R]]
"""Called once in each process: the files, and the content to use in the place of that of some."""


@dataclass(frozen=True)
class FileAnalysis(Generic[R]):
    """What is done with each file. It must be picklable, because other processes receive it."""

    start: Start[R]
    lost: Callable[[Path], R]
    """The result for a file that killed its process."""
    worth_a_process: int
    """Bytes of source below which a second process costs more than it saves."""


class Reanalysis(Generic[R]):
    """An analysis that takes over its earlier results for the files that a difference of content cannot affect."""

    def __init__(self, analysis: FileAnalysis[R], surroundings: Surroundings) -> None:
        self._analysis = analysis
        self._surroundings = surroundings
        self._known = CacheContents()
        self._results: dict[Path, R] = {}

    def results(self, files: Sequence[Path], replaced: Mapping[Path, bytes]) -> list[R]:
        """The result for each file, with other content in the place of some."""
        around = self._surroundings
        content = {os.path.realpath(path): one for path, one in replaced.items()}
        cache = Cache(self._known, files, around.roots, around.libraries, content)
        left = [path for path in files if cache.outcome(path) is None]
        for outcome, result in self._run(left, files, replaced):
            cache.add(outcome)
            self._results[outcome.path] = result
        self._known = cache.known()
        return [self._results[path] for path in files]

    def _run(
        self, left: Sequence[Path], files: Sequence[Path], replaced: Mapping[Path, bytes]
    ) -> Iterator[tuple[FileOutcome, R]]:
        analysis, jobs = self._analysis, self._surroundings.jobs
        start = partial(analysis.start, files, self._surroundings, replaced)
        task = FileTask(start, partial(_lost, analysis.lost), patient=False)
        return run_parallel(task, left, jobs, analysis.worth_a_process, _CHUNKS_A_PROCESS * jobs)


def _lost(result: Callable[[Path], R], path: Path) -> tuple[FileOutcome, R]:
    return FileOutcome(path, [], whole=False), result(path)
