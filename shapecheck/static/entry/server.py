"""The findings of single files, here or for another process that asks through a pipe.

Whoever asks writes one pickle with the roots, then one for each question; the answers come back in that order. There is
no end but that of the pipe, whatever is being done then.
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
from shapecheck.project.outcomes import merged_diagnostics
from shapecheck.project.silencing import silence
from shapecheck.static.entry.checker import Checker

Question = tuple[str, frozenset[str]]
"""The absolute path of a file, and the codes whose rules are asked."""


class FindingsServer:
    """Checks single files; modules that several of them import are run once."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = [Path(root) for root in roots]
        self._checkers: dict[frozenset[str], Checker] = {}

    def findings(self, path: str, codes: frozenset[str]) -> list[Diagnostic]:
        """What is found in a file, and elsewhere because it calls, told in this file; without what comments silence."""
        if codes not in self._checkers:
            self._checkers[codes] = Checker((), self._roots, codes)
        file = Path(path)
        found = self._checkers[codes].findings_of(file)
        return silence(sorted(merged_diagnostics([(file, found)]))).reported


def serve() -> None:
    """Answers what comes from standard input on standard output, until the former ends."""
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
    """Takes questions whether answers are read or not, so that whoever asks never has to wait."""
    try:
        while True:
            waiting.put(pickle.load(questions))
    finally:
        os._exit(0)


def _answer(answering: FindingsServer, path: str, codes: frozenset[str]) -> list[Diagnostic] | None:
    """None where we fail: whoever asks then sees the fault when trying by itself."""
    try:
        return answering.findings(path, codes)
    except Exception:
        return None
