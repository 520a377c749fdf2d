"""The state of a run: what is loaded, what was found, how deep and how long it may go on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from shapecheck.diagnostics import CODES, Diagnostic, Note
from shapecheck.static.alternatives import Never
from shapecheck.static.journal import Changes, Journal, Mark
from shapecheck.static.knowledge import Knowledge
from shapecheck.static.loading import Loaded, Project
from shapecheck.static.values import Namespace, Value

MOST_STEPS = 200_000
MOST_DEPTH = 40
_START = Mark(0, 0)


class OutOfSteps(Exception):
    """The run has taken too many steps: what is found so far stands."""


class Frame:
    """One call that is being run: its local names, and what it has returned so far."""

    __slots__ = (
        "branched",
        "call",
        "exits",
        "function",
        "loops",
        "names",
        "on_return",
        "open_branches",
        "returned",
        "started",
        "yielded",
    )

    def __init__(self, names: Namespace, function: Any = None, call: Place | None = None) -> None:
        self.names = names
        self.function = function
        self.call = call
        self.returned: list[Value] = []
        self.yielded: list[Value] = []
        self.branched = False
        self.loops: list[Any] = []
        self.exits: list[Changes] = []
        """What was changed on each way out of a function that has several."""
        self.open_branches = 0
        self.started = _START
        """Where the record of changes was when it began."""
        self.on_return: Callable[[ast.AST, Value], None] | None = None


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


class Trial(NamedTuple):
    """What one run gave, changed and found, and the functions that it called."""

    result: Value
    changes: Changes
    findings: dict[tuple[str, int, int, str], Finding]
    called: set[ast.AST]


class Machine:
    """Runs modules, functions and classes of one project on abstract values."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.journal = Journal()
        self.knowledge = Knowledge()
        self.trials = 0
        self.findings: dict[tuple[str, int, int, str], Finding] = {}
        self.frames: list[Frame] = []
        self.modules: dict[Loaded, Namespace] = {}
        self.bodies: dict[Loaded, Body] = {}
        self.called: set[ast.AST] = set()
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

    def step(self) -> None:
        """Counts one step; raises OutOfSteps after too many."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise OutOfSteps

    def begin(self, called: Iterable[ast.AST] = ()) -> None:
        """Forgets what was found so far, and what was called but for these."""
        self.findings = {}
        self.called = set(called)
        self.steps = 0

    @contextmanager
    def afresh(self) -> Iterator[None]:
        """Runs as if nothing else ran: what is changed here stays, whatever becomes of the branch that asked for it."""
        kept = (self.journal, self.knowledge, self.findings, self.frames, self.called, self.steps, self._quiet)
        self.journal, self.knowledge, self.frames, self._quiet = Journal(), Knowledge(), [], 0
        self.begin()
        try:
            yield
        finally:
            self.journal, self.knowledge, self.findings, self.frames, self.called, self.steps, self._quiet = kept

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

    def report(self, code: str, node: ast.AST, message: str) -> Never:
        """Notes a finding at a place in the code that is being run; nothing is computed there."""
        if not self._quiet:
            place = Place(self.loaded, node)
            line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
            key = (place.loaded.source.display, line, column, code)
            if key not in self.findings:
                callers = self._callers()
                self.findings[key] = Finding(_diagnostic(code, place, message, callers), callers)
        return Never(message)

    def _callers(self) -> list[Place]:
        return [frame.call for frame in reversed(self.frames) if frame.call is not None]

    def try_out(self, run: Callable[[], Value]) -> Trial:
        """Runs something and undoes it, keeping what it found apart."""
        kept = (self.findings, self.called)
        self.findings, self.called = {}, set()
        self.trials += 1
        try:
            result, changes = self.journal.apart(run)
            return Trial(result, changes, self.findings, self.called)
        finally:
            self.trials -= 1
            self.findings, self.called = kept

    def branch(self, *alternatives: Callable[[], Any], widen: bool = False) -> list[Any]:
        """Runs alternatives each from the state that is now; afterwards holds what is common to those that go on.

        Each returns its result and whether it goes on. `widen` is for the later rounds of a loop.
        """
        results, going_on = [], []
        frame = self.frame
        frame.branched = True
        for alternative in alternatives:
            frame.open_branches += 1
            (result, goes_on), changes = self.journal.apart(alternative)
            frame.open_branches -= 1
            results.append(result)
            if goes_on:
                going_on.append(changes)
        self.journal.merge(going_on, widen=widen)
        return results


def _diagnostic(code: str, place: Place, message: str, callers: list[Place]) -> Diagnostic:
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
        notes=tuple(_note(caller) for caller in callers[:3]),
    )


def _note(caller: Place) -> Note:
    line, column, _, _ = _span(caller)
    return Note(caller.loaded.source.display, line, column, f"when called here{_shown(caller)}")


def _span(place: Place) -> tuple[int, int, int, int]:
    """Lines and columns from 1, in code points; the end column is exclusive."""
    node, source = place.node, place.loaded.source
    if not isinstance(node, (ast.expr, ast.stmt)):
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
