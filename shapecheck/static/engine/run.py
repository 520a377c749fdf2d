"""The state of one run: of a module's body, or of one entry point of it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from shapecheck.diagnostics import Note
from shapecheck.static.domain.alternatives import Never
from shapecheck.static.domain.values import Namespace, Value
from shapecheck.static.engine.axis_bindings import AxisBindings
from shapecheck.static.engine.budget import MOST_DEPTH, Budget, Cost, OutOfSteps
from shapecheck.static.engine.call_notes import call_notes
from shapecheck.static.engine.contexts import Inside, Silence
from shapecheck.static.engine.effects import CallEffects
from shapecheck.static.engine.findings import Finding, FindingKey, diagnostic_at
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.journal import Journal
from shapecheck.static.engine.path_constraints import PathConstraints
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.side_table import SideTable
from shapecheck.static.engine.symbolic_inputs import SymbolicInputs, is_symbolic

if TYPE_CHECKING:
    from shapecheck.static.engine.hooks import HookTable
    from shapecheck.static.engine.journal import Changes
    from shapecheck.static.engine.loading import Project, SourceModule
    from shapecheck.static.engine.operand_requirements import OperandRequirement
    from shapecheck.static.engine.origins import Origins
    from shapecheck.static.engine.scopes import Learning
    from shapecheck.static.engine.session import Session
    from shapecheck.static.observing.observer import RunObserver

T = TypeVar("T")

_MOST_NESTED = 2
_OF_DTYPES = frozenset(("dtype-mismatch", "float64-leak"))
"""Codes that take the default dtype to be float32."""


class _Scope:
    """Part of a run with some fields of its own; at its end, every field of the run is what it was before."""

    __slots__ = ("_depth", "_own", "_run", "_saved")

    def __init__(self, run: Run, own: dict[str, object]) -> None:
        self._run = run
        self._own = own

    def __enter__(self) -> None:
        run = self._run
        self._saved = _state(run)
        self._depth = len(run.frames)
        for name, value in self._own.items():
            setattr(run, name, value)

    def __exit__(self, *_: object) -> None:
        run = self._run
        for name, value in zip(_FIELDS, self._saved, strict=True):
            setattr(run, name, value)
        del run.frames[self._depth :]


@dataclass(eq=False, slots=True)
class Run:
    """The state of one entry point, or of a module's body; `session` is what it shares with others.

    A run inside another one that must not see it (an import in the middle of a call) is a `Run` of its own. Part of a
    run with fields of its own is a `scope`. Nothing else may assign a field.
    """

    session: Session
    findings: dict[FindingKey, Finding] = field(default_factory=dict)
    called: set[Hashable] = field(default_factory=set)
    """The functions that were called; of constructors, also which defaults were used or replaced."""
    analyzed: set[ast.AST] = field(default_factory=set)
    """The functions that were analyzed in isolation."""
    mark: int | None = None
    """When the entry began; None while a module's body runs, which changes what others read."""
    journal: Journal = field(default_factory=Journal)
    knowledge: PathConstraints = field(default_factory=PathConstraints)
    learned: AxisBindings = field(default_factory=AxisBindings)
    side_table: SideTable = field(default_factory=SideTable)
    frames: list[Frame] = field(default_factory=list)
    """The calls that are running. Read your own by `frame`, and those of callers by `outward`."""
    running: Counter[ast.AST | None] = field(default_factory=Counter)
    """How many calls of each function are running."""
    budget: Budget = field(default_factory=Budget)
    effects: CallEffects = field(default_factory=CallEffects)
    """Those of the innermost call that is recorded."""
    silence: Silence = field(default_factory=Silence)
    trials: int = 0
    """How many alternatives are being tried inside one another."""
    inputs: SymbolicInputs | None = None
    """The arguments of the entry point of which more may be learnt; read by `learnable`."""
    autocasting: bool = False
    """Whether torch chooses the floating dtypes that operators take; part of the key of memoized calls."""
    is_wary: bool = False
    """Whether the receiver's state is uncertain, so that a finding on one of several paths proves nothing."""
    watch: RunObserver | None = field(init=False)
    rules: HookTable = field(init=False)
    """The session's, here because every operator asks for them."""
    origins: Origins = field(init=False)
    """The session's, for the same reason."""

    def __post_init__(self) -> None:
        self.watch = self.session.watch
        self.rules = self.session.rules
        self.origins = self.session.origins

    # -- where it is

    @property
    def project(self) -> Project:
        """The project that is checked."""
        return self.session.project

    @property
    def frame(self) -> Frame:
        """The call that is running."""
        return self.frames[-1]

    @property
    def loaded(self) -> SourceModule:
        """The module whose code is running."""
        return self.frame.names.loaded

    def inside(self, frame: Frame) -> Inside:
        """Runs in a call of its own."""
        return Inside(self, frame)

    def outward(self) -> Iterator[Frame]:
        """The calls that are running, innermost first: a call that reads its callers' frames becomes uncacheable."""
        frames, effects = self.frames, self.effects
        for index in range(len(frames) - 1, -1, -1):
            effects.outermost_frame = min(effects.outermost_frame, index)
            yield frames[index]
        effects.outermost_frame = -1  # that there is no such frame depends on all of them

    @property
    def is_quiet(self) -> bool:
        """Whether findings do not count now."""
        self.mark_uncacheable()
        return bool(self.silence.depth)

    @property
    def is_unconditional(self) -> bool:
        """Whether every run of the code comes here, and findings count."""
        return not any(frame.is_parted for frame in self.outward()) and not self.trials and not self.silence.depth

    def is_analyzed(self, function: ast.AST) -> bool:
        """Whether a function was analyzed in isolation before."""
        self.mark_uncacheable()
        return function in self.analyzed

    def begin_analysis(self, function: ast.AST, *, with_axis_names: bool) -> None:
        """A function is analyzed in isolation now; from then on its axis names stand for sizes."""
        self.analyzed.add(function)
        if with_axis_names and not self.learned.in_use:
            self.mark_uncacheable()
            self.learned.in_use = True

    def learnable(self, value: Value) -> str | None:
        """The argument of the entry point that a value is, where more may be learnt of it here."""
        if self.inputs is None or not is_symbolic(value):
            return None
        self.effects.reads_inputs = True
        name = self.inputs.name_of(value)
        return name if name is not None and self.is_unconditional else None

    def learn(self, parameter: str, demand: OperandRequirement) -> None:
        """An argument of the entry point must be at least this: the run begins again if that is news."""
        if self.inputs is not None:
            self.inputs.learn(parameter, demand)

    def learn_value(self, parameter: str, value: Value) -> None:
        """An argument of the entry point is taken for this value: the run begins again."""
        if self.inputs is not None:
            self.inputs.learn_value(parameter, value)

    # -- metadata of values

    def attach(self, value: object, kind: str, fact: object) -> None:
        """Attaches a fact to a value; the copy that a cache would give has none."""
        self.mark_uncacheable()
        self.side_table.attach(value, kind, fact)

    def metadata(self, value: object, kind: str) -> Any:  # each rule knows the type of its facts
        """The fact of one kind that is attached to a value, or None."""
        fact = self.side_table.get(value, kind)
        if fact is not None:
            self.mark_uncacheable()
        return fact

    # -- caching

    @property
    def is_cacheable(self) -> bool:
        """Whether modules are as their bodies left them, and neither calls nor origins are observed."""
        observed = self.origins.noted or self.watch is not None or self.learned.in_use
        return not observed and self.mark is not None and self.journal.oldest >= self.mark

    def mark_uncacheable(self) -> None:
        """What happens now may differ at another place: results of the calls that led here are not reused."""
        self.effects.is_uncacheable = True

    def has_room_for(self, called: frozenset[Hashable], height: int, nesting: int) -> bool:
        """Whether a call could run here as it did elsewhere, within the limits and without recursion."""
        within = len(self.frames) + height < MOST_DEPTH and self.trials + nesting <= _MOST_NESTED
        return within and not any(frame.function in called for frame in self.frames)

    def memoized(self, cost: Cost, steps: int) -> None:
        """A call has just been run, and its result is kept: it took so many steps."""
        self.budget.pay(cost)
        self.effects.made(cost, steps)

    def replay(self, called: frozenset[Hashable], cost: Cost, height: int, nesting: int, *, reads_inputs: bool) -> None:
        """The result of a call comes from the cache: records what running it here would have."""
        before = self.budget.steps
        self.budget.charge(cost)
        self.called.update(called)
        self.effects.made(cost, self.budget.steps - before)
        self.effects.went(len(self.frames) + height, self.trials + nesting)
        self.effects.reads_inputs |= reads_inputs

    # -- limits

    def step(self) -> None:
        """Counts one step; raises OutOfSteps after too many."""
        budget = self.budget
        budget.steps += 1
        if budget.steps > budget.most:
            raise OutOfSteps

    def may_follow(self, function: ast.AST) -> bool:
        """Whether a call is neither too deep nor too recursive to run."""
        follows = len(self.frames) < MOST_DEPTH and self.budget.allows_recursion(function, self.running[function])
        if not follows:
            self.mark_uncacheable()
        return follows

    def may_nest(self) -> bool:
        """Whether alternatives may be tried inside those that are being tried."""
        if self.trials >= _MOST_NESTED:
            self.mark_uncacheable()
        return self.trials < _MOST_NESTED

    # -- findings

    def report(self, code: str, node: ast.AST, message: str, why: Callable[[], Sequence[Note]] | None = None) -> Never:
        """Records a finding at a place in the running code; nothing is computed there.

        `why` gives notes that go before those on the calls that led here; it is called only if the finding counts.
        """
        self.mark_uncacheable()
        if (
            not self.silence.depth
            and not self._proves_nothing()
            and not (code in _OF_DTYPES and self._may_have_another_default_dtype())
        ):
            place = Place(self.loaded, node)
            key = _key(place, code)
            if key not in self.findings:
                callers = [frame.call for frame in reversed(self.frames) if frame.call is not None]
                notes = [*(why() if why is not None else ()), *call_notes(self.frames)]
                self.findings[key] = Finding(diagnostic_at(code, place, message, notes), callers)
        return Never(message)

    def tell(self, code: str, node: ast.AST, message: str) -> None:
        """Records what the source asks to be shown: each different answer, also where findings do not count."""
        self.mark_uncacheable()
        place = Place(self.loaded, node)
        self.findings.setdefault(
            _key(place, f"{code}: {message}"), Finding(diagnostic_at(code, place, message, []), [])
        )

    def _proves_nothing(self) -> bool:
        return self.is_wary and any(frame.is_parted for frame in self.frames if frame.call is not None)

    def _may_have_another_default_dtype(self) -> bool:
        return any(frame.names.loaded.sets_dtype for frame in self.frames)

    def take_over(self, learnt: Learning) -> None:
        """Takes over what a part of the run found, and analyzed in isolation."""
        for key, finding in learnt.findings.items():
            self.findings.setdefault(key, finding)
        self.analyzed.update(learnt.analyzed)

    # -- parts of it

    def scope(self, **own: object) -> _Scope:
        """Runs something with these values in the fields of those names, and then restores every field.

        What is changed inside an object that the run keeps stays changed: the journal undoes the fields of values.
        """
        return _Scope(self, own)

    def silenced(self) -> Silence:
        """Findings do not count inside."""
        return self.silence

    def safely(self, loaded: SourceModule, node: ast.AST, body: Callable[[], object]) -> None:
        """Runs something as far as it goes; a fault of our own is a finding of its own and hides no other."""
        depth = len(self.frames)
        try:
            body()
        except (OutOfSteps, RecursionError):
            self.session.unfinished.add(loaded)
        except Exception as fault:
            del self.frames[depth:]
            with self.inside(Frame(Namespace(loaded))):
                self.report("internal-error", node, f"{type(fault).__name__}: {fault}")
        finally:
            del self.frames[depth:]

    def branch(self, *alternatives: Callable[[], tuple[T, bool]], widen: bool = False) -> list[T]:
        """Runs alternatives, each from the current state; afterwards holds what is common to those that go on.

        Each returns its result and whether it goes on. `widen` is for the later rounds of a loop.
        """
        results: list[T] = []
        going_on: list[Changes] = []
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


def _key(place: Place, code: str) -> FindingKey:
    node = place.node
    return place.loaded.source.display, getattr(node, "lineno", 1), getattr(node, "col_offset", 0), code


_FIELDS = tuple(one.name for one in fields(Run))
_state = attrgetter(*_FIELDS)
