"""The findings of single files, in this process or for another one that sends requests through a pipe.

The client writes one pickle with the roots, then one for each question; the answers come back in that order. The server
exits when the pipe is closed, whatever it is doing.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO

from shapecheck.diagnostics import Diagnostic
from shapecheck.project.cache import Cache, CacheContents
from shapecheck.project.outcomes import merged_diagnostics
from shapecheck.project.same_cause import silence_causes
from shapecheck.static.entry.checker import Checker

Question = tuple[str, frozenset[str]]
"""The absolute path of a file, and the codes whose rules are called."""


class FindingsServer:
    """Checks single files as they are now; a module that several of them import is run once.

    Of an `earlier` server for the same roots, it takes over what edits since then do not concern.
    """

    def __init__(self, roots: Sequence[str], earlier: FindingsServer | None = None) -> None:
        self._roots = [Path(root) for root in roots]
        self._checkers: dict[frozenset[str], Checker] = {}
        before = {} if earlier is None else earlier.results
        self.results: dict[frozenset[str], CacheContents] = {
            codes: Cache(known, (), self._roots).valid() for codes, known in before.items()
        }
        """What was found, by the codes whose rules are called."""

    def findings(self, path: str, codes: frozenset[str]) -> list[Diagnostic]:
        """The findings of a file and of what it calls, reported in this file, except those silenced by comments."""
        file, real = Path(path), os.path.realpath(path)
        results = self.results.setdefault(codes, CacheContents())
        known = results.findings.get(real)
        found = self._run(file, real, codes) if known is None else known.diagnostics
        return silence_causes(sorted(merged_diagnostics([(file, found)]))).reported

    def _run(self, file: Path, real: str, codes: frozenset[str]) -> list[Diagnostic]:
        if codes not in self._checkers:
            self._checkers[codes] = Checker((), self._roots, codes)
        outcome = self._checkers[codes].outcome_of(file)
        results = self.results[codes]
        for path in results.add(real, outcome):
            del results.reads[path]  # it was edited since this server was started
        return outcome.diagnostics


def serve() -> None:
    """Answers questions from standard input on standard output, until the input ends."""
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    answering = FindingsServer(pickle.load(questions))
    waiting: SimpleQueue[Question] = SimpleQueue()
    Thread(target=_receive, args=(questions, waiting), daemon=True).start()
    while True:
        path, codes = waiting.get()
        pickle.dump((path, codes, _answer(answering, path, codes)), answers)
        answers.flush()


def _receive(questions: IO[bytes], waiting: SimpleQueue[Question]) -> None:
    """Receives questions whether or not answers are read, so that the client never blocks."""
    try:
        while True:
            waiting.put(pickle.load(questions))
    finally:
        os._exit(0)


def _answer(answering: FindingsServer, path: str, codes: frozenset[str]) -> list[Diagnostic] | None:
    """The findings, None after an exception: the client then computes them itself and sees the exception."""
    try:
        return answering.findings(path, codes)
    except Exception:
        return None
