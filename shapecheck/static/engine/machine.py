"""The state of a run: what is loaded, what was found, how deep and how long it may go on."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from shapecheck.diagnostics import Note
from shapecheck.static.domain.alternatives import Never
from shapecheck.static.domain.values import Namespace, Object, Value, births
from shapecheck.static.engine.axis_bindings import Learned
from shapecheck.static.engine.call_notes import call_notes
from shapecheck.static.engine.findings import Finding, diagnostic_at
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.hooks import Rules
from shapecheck.static.engine.journal import Changes, Journal
from shapecheck.static.engine.loading import Loaded, Project
from shapecheck.static.engine.memo import Memo
from shapecheck.static.engine.origins import Origins
from shapecheck.static.engine.path_constraints import Knowledge
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.side_table import Memory

if TYPE_CHECKING:
    from shapecheck.static.engine.symbolic_inputs import Inputs
    from shapecheck.static.observing.observer import Watch
MOST_STEPS = 200_000
MOST_DEPTH = 40
_RECURSION = 6
_RECURSIONS = 64
_OF_DTYPES = frozenset(("dtype-mismatch", "float64-leak"))
"""Codes that take the default dtype to be float32."""


class OutOfSteps(Exception):
    """The run has taken too many steps: what is found so far stands."""


class Body(NamedTuple):
    """What running a module's body found, and the functions that it called."""

    findings: list[Finding]
    called: set[Hashable]


class Seen:
    """What a call did: whether it left alone all that was there before, what ran in it, how long and how deep."""

    __slots__ = ("alone", "called", "height", "steps")

    alone: bool
    called: set[Hashable]
    steps: int
    height: int


_OF_ONE_RUN = (
    "journal", "findings", "frames", "called", "alone", "learned", "keeps_apart", "knowledge", "remembered", "inputs",
    "autocasting", "is_wary", "steps", "recursions", "_quietness", "_mark",
)  # fmt: skip
"""What belongs to one run, and not to another that is made in the middle of it."""


class Trial(NamedTuple):
    """What one run gave, changed and found, and the functions that it called."""

    result: Value
    changes: Changes
    findings: dict[tuple[str, int, int, str], Finding]
    called: set[Hashable]


class _Quiet:
    """Counts how often it is entered: a context manager of contextlib takes four times as long."""

    __slots__ = ("depth",)

    def __init__(self) -> None:
        self.depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


class _Inside:
    """One call, while it is being run."""

    __slots__ = ("_frame", "_machine")

    def __init__(self, machine: Machine, frame: Frame) -> None:
        self._machine = machine
        self._frame = frame

    def __enter__(self) -> Frame:
        self._machine.enter(self._frame)
        return self._frame

    def __exit__(self, *_: object) -> None:
        self._machine.frames.pop()
        self._machine.running[self._frame.function] -= 1


class Machine:
    """Runs modules, functions and classes of one project on abstract values."""

    def __init__(self, project: Project, rules: Rules) -> None:
        self.project = project
        self.rules = rules
        self.remembered = Memory()
        self.journal = Journal()
        self.origins = Origins()
        self.knowledge = Knowledge()
        self.trials = 0
        self.findings: dict[tuple[str, int, int, str], Finding] = {}
        self.frames: list[Frame] = []
        self.running: Counter[ast.AST | None] = Counter()
        """How many calls of each function are being run."""
        self.recursions: Counter[ast.AST] = Counter()
        """How often each function was called from a call of its own that was itself such a call, in this entry."""
        self.modules: dict[Loaded, Namespace] = {}
        self.bodies: dict[Loaded, Body] = {}
        self.called: set[Hashable] = set()
        """The functions that were called; of constructors, what `replaced` wants to know of the arguments."""
        self.alone: set[ast.AST] = set()
        self.learned: Learned = {}
        self.keeps_apart = False
        """Whether axis names stand for sizes, so that they can learn any."""
        self.autocasting = False
        """Whether torch chooses the kinds of floating numbers that operators take."""
        self.is_wary = False
        """Whether the object is not known as it is, so that what a call finds on one of several ways proves nothing."""
        self.inputs: Inputs | None = None
        """The arguments that the run of an entry may say more of, where it is alone."""
        self.steps = 0
        self.memo = Memo()
        self.unfinished: set[Loaded] = set()
        """The modules of which something was not run to its end, so that it may hold more than was found."""
        self.watch: Watch | None = None
        self._quietness = _Quiet()
        self._hindrances = 0
        self._peak = 0
        self._mark: int | None = None

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
        return bool(self._quietness.depth)

    @property
    def surely_comes_here(self) -> bool:
        """Whether every run of the code does, and findings count."""
        return not self.trials and not self.is_quiet and not any(frame.is_parted for frame in self.frames)

    def may_recur(self, function: ast.AST) -> bool:
        """Whether a function may be run once more inside its own calls: as deep as a tree, and not without end."""
        depth = self.running[function]
        if depth > 1:
            self.recursions[function] += 1
        return depth <= 1 or (depth <= _RECURSION and self.recursions[function] <= _RECURSIONS)

    def step(self) -> None:
        """Counts one step; raises OutOfSteps after too many."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise OutOfSteps

    def begin(self, called: Iterable[Hashable] = ()) -> None:
        """Forgets what was found so far, and what was called but for these."""
        self.findings = {}
        self.called = set(called)
        self.alone = set()
        self.learned = {}
        self.steps = 0
        self.recursions = Counter()

    @contextmanager
    def afresh(self) -> Iterator[None]:
        """Runs as if nothing else ran: what is changed here stays, whatever becomes of the branch that asked for it."""
        kept = {name: getattr(self, name) for name in _OF_ONE_RUN}
        self.journal, self.frames, self._quietness, self._mark = Journal(), [], _Quiet(), None
        self.learned, self.keeps_apart = {}, False
        self.inputs, self.autocasting, self.is_wary = None, False, False
        self.knowledge = Knowledge()
        self.begin()
        try:
            yield
        finally:
            for name, value in kept.items():
                setattr(self, name, value)

    def safely(self, loaded: Loaded, node: ast.AST, run: Callable[[], object]) -> None:
        """Runs something as far as it goes; a fault of our own is a finding of its own and hides no other."""
        depth = len(self.frames)
        try:
            run()
        except (OutOfSteps, RecursionError):
            self.unfinished.add(loaded)
        except Exception as fault:
            del self.frames[depth:]
            with self.inside(Frame(Namespace(loaded))):
                self.report("internal-error", node, f"{type(fault).__name__}: {fault}")
        finally:
            del self.frames[depth:]

    def start(self) -> None:
        """An entry begins: what is changed of what was there before it is seen."""
        self.steps = 0
        self.recursions = Counter()
        self._mark = next(births)
        self.knowledge.born = next(births)
        self.remembered = Memory()
        self.learned, self.keeps_apart = {}, False
        self.journal.oldest = inf
        self.journal.narrowed.clear()

    @property
    def repeatable(self) -> bool:
        """Whether the modules hold what their bodies gave them, and nobody watches calls or notes origins."""
        observed = self.origins.noted or self.watch is not None or self.keeps_apart
        return not observed and self._mark is not None and self.journal.oldest >= self._mark

    def hinder(self) -> None:
        """What happens now may go otherwise at another place: the calls that led here are not kept."""
        self._hindrances += 1

    def could_hold(self, called: frozenset[Hashable], height: int) -> bool:
        """Whether these functions could run here without going too deep."""
        within = len(self.frames) + height < MOST_DEPTH
        return within and not any(frame.function in called for frame in self.frames)

    def _sees_as_before(self, count: int, since: int) -> bool:
        """Whether nothing older is seen more closely now than when so many values were."""
        first: dict[tuple[Object, str], Value] = {}
        for target, field, held in self.journal.narrowed[count:]:
            if target.born < since:
                first.setdefault((target, field), held)
        return all(target.fields.get(field) is held for (target, field), held in first.items())

    @contextmanager
    def observed(self, since: int) -> Iterator[Seen]:
        """Runs something and sees what it did, `since` being the birth of the first object that is its own."""
        seen = Seen()
        kept = (self.called, self.journal.oldest, self._peak)
        hindrances, steps, facts, narrowed = (
            self._hindrances,
            self.steps,
            self.knowledge.facts,
            len(self.journal.narrowed),
        )
        self.called, self.journal.oldest, self._peak = set(), inf, len(self.frames)
        try:
            yield seen
        finally:
            called, oldest, peak = kept
            seen.alone = (
                self._hindrances == hindrances
                and self.journal.oldest >= since
                and self.knowledge.facts is facts
                and self._sees_as_before(narrowed, since)
            )
            seen.called, seen.steps, seen.height = self.called, self.steps - steps, self._peak - len(self.frames)
            self.called = called | self.called
            self.journal.oldest, self._peak = min(oldest, self.journal.oldest), max(peak, self._peak)

    def quietly(self) -> _Quiet:
        """Findings do not count while this lasts."""
        return self._quietness

    @contextmanager
    def rehearsed(self) -> Iterator[None]:
        """Runs something for who watches alone: it finds nothing and counts as not called."""
        kept = (self.findings, self.called, self.alone, self.steps)
        self.findings, self.called, self.alone = {}, set(), set()
        try:
            yield
        except (OutOfSteps, RecursionError):
            del self.frames[:]
        finally:
            self.findings, self.called, self.alone, self.steps = kept

    def inside(self, frame: Frame) -> _Inside:
        """Runs in a call of its own."""
        return _Inside(self, frame)

    def enter(self, frame: Frame) -> None:
        """A call begins."""
        self.frames.append(frame)
        self.running[frame.function] += 1
        self._peak = max(self._peak, len(self.frames))

    def report(self, code: str, node: ast.AST, message: str, why: Callable[[], Sequence[Note]] | None = None) -> Never:
        """Notes a finding at a place in the code that is being run; nothing is computed there.

        `why` gives notes that go before those on the calls that led here; it is asked only if the finding counts.
        """
        self.hinder()
        if (
            not self._quietness.depth
            and not self._proves_nothing()
            and not (code in _OF_DTYPES and self._may_have_another_default_dtype())
        ):
            place = Place(self.loaded, node)
            line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
            key = (place.loaded.source.display, line, column, code)
            if key not in self.findings:
                callers = self._callers()
                notes = [*(why() if why is not None else ()), *call_notes(self.frames)]
                self.findings[key] = Finding(diagnostic_at(code, place, message, notes), callers)
        return Never(message)

    def _proves_nothing(self) -> bool:
        return self.is_wary and any(frame.is_parted for frame in self.frames if frame.call is not None)

    def _may_have_another_default_dtype(self) -> bool:
        return any(frame.names.loaded.sets_dtype for frame in self.frames)

    def tell(self, code: str, node: ast.AST, message: str) -> None:
        """Notes what the source asks to be told at a place: each different answer, also where findings do not count."""
        self.hinder()
        place = Place(self.loaded, node)
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        key = (place.loaded.source.display, line, column, f"{code}: {message}")
        self.findings.setdefault(key, Finding(diagnostic_at(code, place, message, []), []))

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
