"""Runs the static engine on files, and returns what the calls of each function show, as plain data."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from shapecheck.annotate.callers import join_callers
from shapecheck.annotate.model import FunctionKey
from shapecheck.annotate.planning import functions_of
from shapecheck.annotate.reusing import Analyze, FileAnalysis, Reanalysis, Surroundings
from shapecheck.project.files import display_path
from shapecheck.project.observed_code import Observing
from shapecheck.project.outcomes import FileOutcome
from shapecheck.static.engine.call_stack import with_deep_stack
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.collecting import collecting_once
from shapecheck.static.entry.signature_runs import observe_signatures
from shapecheck.static.observing.call_observer import CallObserver, ObservedCalls
from shapecheck.static.observing.joining_facts import join_calls
from shapecheck.static.observing.signature_facts import CallFacts

_WORTH_A_PROCESS = 200_000


@dataclass
class Collected:
    """What the runs of one file show about the functions of all requested files."""

    path: Path
    found: list[tuple[FunctionKey, ObservedCalls]] = field(default_factory=list)
    failure: str = ""


class CallCollector:
    """Runs files, and returns what each shows, in order; what earlier runs have shown is taken over where it holds."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._runs = Reanalysis(FileAnalysis(_start, _lost, _WORTH_A_PROCESS), surroundings)

    def collect(self, files: Sequence[Path], replaced: Mapping[Path, bytes]) -> list[Collected]:
        """What the files show; `replaced` has the content of files that are not on disk."""
        return self._runs.results(files, replaced)


def joined(parts: Sequence[Collected]) -> dict[FunctionKey, ObservedCalls]:
    """What all files show about each function."""
    found: dict[FunctionKey, ObservedCalls] = {}
    for part in parts:
        for key, one in part.found:
            known = found.setdefault(key, ObservedCalls())
            known.required = _join(known.required, one.required)
            for place, call in one.calls.items():
                known.calls[place] = join_calls(known.calls[place], call) if place in known.calls else call
    join_callers(found)
    return found


def _join(one: CallFacts | None, other: CallFacts | None) -> CallFacts | None:
    if one is None or other is None:
        return one or other
    return join_calls(one, other)


def _start(files: Sequence[Path], surroundings: Surroundings, replaced: Mapping[Path, bytes]) -> Analyze[Collected]:
    watch = CallObserver()
    checker = Checker(files, surroundings.roots, (), watch, surroundings.libraries)
    checker.project.replaced = {os.path.realpath(path): content for path, content in replaced.items()}
    return _Collector(files, checker, watch).collect


def _lost(path: Path) -> Collected:
    return Collected(path, failure="skipped: the system killed its process (out of memory?)")


class _Collector:
    """Runs the files of one process."""

    def __init__(self, files: Sequence[Path], checker: Checker, watch: CallObserver) -> None:
        self._requested = {display_path(path) for path in files}
        self._checker = checker
        self._watch = watch

    def collect(self, path: Path) -> tuple[FileOutcome, Collected]:
        """What the runs of one file show, as an outcome that had findings: it has the lines of other files."""
        with Observing() as observed:
            result = self._collect(path)
        reads = self._checker.project.newly_read()
        return FileOutcome(path, [], not result.failure, observed=frozenset(observed), reads=reads), result

    def _collect(self, path: Path) -> Collected:
        """What the runs of one file show; a file that does not parse shows nothing."""
        loaded = self._checker.project.load(path)
        result = Collected(path)
        if loaded is None:
            return result
        try:
            with collecting_once():
                with_deep_stack(partial(observe_signatures, self._checker.session, loaded, self._watch))
        except RecursionError:
            result.failure = "skipped: nested too deeply"
        except Exception as error:  # an internal error in one file must not end the run
            result.failure = f"skipped: {type(error).__name__}: {' '.join(str(error).split())}"
        result.found = list(self._taken())
        return result

    def _taken(self) -> Iterator[tuple[FunctionKey, ObservedCalls]]:
        session = self._checker.session
        names: dict[str, dict[object, str]] = {}
        for loaded in session.modules:
            display = loaded.source.display
            if display in self._requested and any(place == display for place in self._watch.places.values()):
                names[display] = dict(functions_of(loaded.tree))  # type: ignore[arg-type]
        for node, one in self._watch.found.items():
            display = self._watch.places[node]
            name = names.get(display, {}).get(node)
            if name is not None:
                yield FunctionKey(display, name, node.lineno), one
        self._watch.found, self._watch.places = {}, {}
