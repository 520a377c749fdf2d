"""The state of a run: what is loaded, what was found, how deep and how long it may go on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from shapecheck.diagnostics import CODES, Diagnostic, Note
from shapecheck.ops import Unknown
from shapecheck.static.journal import Journal
from shapecheck.static.learned import Learned
from shapecheck.static.loading import Loaded, Project
from shapecheck.static.values import Namespace, Value

MOST_STEPS = 200_000
MOST_DEPTH = 40


class OutOfSteps(Exception):
    """The run has taken too many steps: what is found so far stands."""


class Frame:
    """One call that is being run: its local names, and what it has returned so far."""

    __slots__ = ("agreement", "branched", "call", "function", "names", "returned", "yielded")

    def __init__(self, names: Namespace, function: Any = None, call: Place | None = None) -> None:
        self.names = names
        self.function = function
        self.call = call
        self.returned: list[Value] = []
        self.yielded: list[Value] = []
        self.branched = False
        self.agreement: Any = None
        """What its annotations promise, where they promise anything."""


class Place:
    """Where in which file something stands."""

    __slots__ = ("loaded", "node")

    def __init__(self, loaded: Loaded, node: ast.AST) -> None:
        self.loaded = loaded
        self.node = node


class Finding:
    """A diagnostic, and the calls that led to its place, innermost first."""

    __slots__ = ("callers", "diagnostic")

    def __init__(self, diagnostic: Diagnostic, callers: list[Place]) -> None:
        self.diagnostic = diagnostic
        self.callers = callers

    def told_in(self, asked: Container[str]) -> Diagnostic | None:
        """The diagnostic, moved to the innermost call in a file that is asked about; None where there is none."""
        one = self.diagnostic
        if one.path in asked:
            return one
        caller = next((caller for caller in self.callers if caller.loaded.source.display in asked), None)
        if caller is None:
            return None
        line, column, end_line, end_column = _span(caller)
        return replace(
            one,
            path=caller.loaded.source.display,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            notes=(Note(one.path, one.line, one.column, "it happens here"), *one.notes),
        )


class Body(NamedTuple):
    """What running a module's body found, and the functions that it called."""

    findings: list[Finding]
    called: set[ast.AST]


class Machine:
    """Runs modules, functions and classes of one project on abstract values."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.journal = Journal()
        self.findings: dict[tuple[str, int, int, str], Finding] = {}
        self.frames: list[Frame] = []
        self.modules: dict[Loaded, Namespace] = {}
        self.bodies: dict[Loaded, Body] = {}
        self.called: set[ast.AST] = set()
        self.alone: set[ast.AST] = set()
        self.learned: Learned = {}
        self.keeps_apart = False
        """Whether axis names stand for sizes, so that they can learn any."""
        self.steps = 0
        self._quiet = 0

    @property
    def frame(self) -> Frame:
        """The call that is being run."""
        return self.frames[-1]

    @property
    def loaded(self) -> Loaded:
        """The module whose code is being run."""
        return self.frame.names.loaded

    @property
    def is_quiet(self) -> bool:
        """Whether findings do not count now."""
        return bool(self._quiet)

    def step(self) -> None:
        """Counts one step; raises OutOfSteps after too many."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise OutOfSteps

    def begin(self, called: Iterable[ast.AST] = ()) -> None:
        """Forgets what was found so far, and what was called but for these."""
        self.findings = {}
        self.called = set(called)
        self.alone = set()
        self.learned = {}
        self.steps = 0

    @contextmanager
    def afresh(self) -> Iterator[None]:
        """Runs as if nothing else ran: what is changed here stays, whatever becomes of the branch that asked for it."""
        kept = (
            self.journal,
            self.findings,
            self.frames,
            self.called,
            self.alone,
            self.learned,
            self.steps,
            self._quiet,
        )
        self.journal, self.frames, self._quiet = Journal(), [], 0
        self.begin()
        try:
            yield
        finally:
            self.journal, self.findings, self.frames, self.called, self.alone, self.learned, self.steps, self._quiet = (
                kept
            )

    def safely(self, loaded: Loaded, node: ast.AST, run: Callable[[], object]) -> None:
        """Runs something as far as it goes; a fault of our own is a finding of its own and hides no other."""
        depth = len(self.frames)
        try:
            run()
        except (OutOfSteps, RecursionError):
            return
        except Exception as fault:
            del self.frames[depth:]
            with self.inside(Frame(Namespace(loaded))):
                self.report("internal-error", node, f"{type(fault).__name__}: {fault}")
        finally:
            del self.frames[depth:]

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Findings do not count while this lasts."""
        self._quiet += 1
        try:
            yield
        finally:
            self._quiet -= 1

    @contextmanager
    def inside(self, frame: Frame) -> Iterator[Frame]:
        """Runs in a call of its own."""
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()

    def report(
        self, code: str, node: ast.AST, message: str, why: Callable[[], Sequence[Note]] | None = None
    ) -> Unknown:
        """Notes a finding at a place in the code that is being run; what was computed there is unknown.

        `why` gives notes that go before those on the calls that led here; it is asked only if the finding counts.
        """
        if not self._quiet:
            place = Place(self.loaded, node)
            line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
            key = (place.loaded.source.display, line, column, code)
            if key not in self.findings:
                callers = self._callers()
                notes = () if why is None else why()
                self.findings[key] = Finding(_diagnostic(code, place, message, notes, callers), callers)
        return Unknown(message)

    def _callers(self) -> list[Place]:
        return [frame.call for frame in reversed(self.frames) if frame.call is not None]

    def branch(self, *alternatives: Callable[[], Any]) -> list[Any]:
        """Runs alternatives each from the state that is now; afterwards holds what is common to those that go on.

        Each returns its result and whether it goes on.
        """
        results, going_on = [], []
        self.frame.branched = True
        for alternative in alternatives:
            (result, goes_on), changes = self.journal.apart(alternative)
            results.append(result)
            if goes_on:
                going_on.append(changes)
        if len(going_on) == 1:
            self.journal.apply(going_on[0])
        else:
            self.journal.merge(going_on)
        return results


def _diagnostic(code: str, place: Place, message: str, notes: Sequence[Note], callers: list[Place]) -> Diagnostic:
    line, column, end_line, end_column = _span(place)
    return Diagnostic(
        path=place.loaded.source.display,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        code=code,
        severity=CODES[code].severity,
        message=message,
        notes=(*notes, *(note_at(one, f"when called here{_shown(one)}") for one in callers[:3])),
    )


def note_at(place: Place, message: str) -> Note:
    """A note at a place."""
    line, column, _, _ = _span(place)
    return Note(place.loaded.source.display, line, column, message)


def _span(place: Place) -> tuple[int, int, int, int]:
    """Lines and columns from 1, in code points; the end column is exclusive."""
    node, source = place.node, place.loaded.source
    if not isinstance(node, (ast.expr, ast.stmt, ast.arg)):
        return 1, 1, 1, 1
    line, end_line = node.lineno, node.end_lineno or node.lineno
    column = source.column(line, node.col_offset) + 1
    end_column = source.column(end_line, node.end_col_offset or 0) + 1
    return line, column, end_line, max(end_column, column) if end_line == line else end_column


def _shown(caller: Place) -> str:
    try:
        text = ast.unparse(caller.node)
    except (ValueError, RecursionError):
        return ""
    return f": {text}" if len(text) <= 60 else ""
