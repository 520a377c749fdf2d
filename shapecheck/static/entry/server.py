"""The findings of single files, in this process or for another one that sends requests through a pipe."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.project.cache import Cache, CacheContents
from shapecheck.project.findings_log import FindingsWriter
from shapecheck.project.outcomes import merged_diagnostics
from shapecheck.project.requests import Requests
from shapecheck.project.same_cause import silence_causes
from shapecheck.static.entry.checker import Checker

_BACKGROUND = 10
"""By how much the process lets others precede it when its client has ended."""

Results = dict[frozenset[str], CacheContents]


class FindingsServer:
    """Checks single files as they are now; a module that several of them import is run once.

    Of the `earlier` results of a server for the same roots, it takes over what edits since then do not concern.
    """

    def __init__(self, roots: Sequence[str], earlier: Results | None = None) -> None:
        self._roots = [Path(root) for root in roots]
        self._checkers: dict[frozenset[str], Checker] = {}
        before = earlier or {}
        self.results: Results = {codes: Cache(known, (), self._roots).valid() for codes, known in before.items()}
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


def serve(requests: Requests) -> None:
    """Answers requests until there are none; the answers are appended to a log."""
    gc.disable()
    answering = FindingsServer(requests.setup.roots)
    log = FindingsWriter(requests.setup.log)
    _let_others_precede(requests.setup.patience)
    is_background = False
    while (one := requests.next()) is not None:
        if requests.client_ended.is_set() and not is_background:
            is_background = True
            _let_others_precede(_BACKGROUND)
        log.add((one.path, one.codes, one.digest), _answer(answering, one.path, requests.codes[one.codes]))
    requests.end()


def _let_others_precede(patience: int) -> None:
    if patience and hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(patience)


def _answer(answering: FindingsServer, path: str, codes: frozenset[str]) -> list[Diagnostic] | str:
    """The findings, or the text of an exception."""
    try:
        return answering.findings(path, codes)
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"
