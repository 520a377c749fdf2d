"""The state of one run: of the body of a module, or of one entry point."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from shapecheck.diagnostics import Note
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Never
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.engine.axis_bindings import AxisBindings
from shapecheck.static.engine.budget import MOST_DEPTH, Budget, OutOfSteps, StepCost
from shapecheck.static.engine.call_notes import call_notes
from shapecheck.static.engine.cold_calls import ColdCalls
from shapecheck.static.engine.contexts import Inside, RunFields, Scope, Silence
from shapecheck.static.engine.doubts import confirm, doubt
from shapecheck.static.engine.effects import CallEffects
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.findings import Conflict, Finding, FindingKey, diagnostic_at, fault_text
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.goals import Goal, GoalReached
from shapecheck.static.engine.journal import Journal
from shapecheck.static.engine.path_constraints import PathConstraints
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.proofs import is_proven
from shapecheck.static.engine.side_table import SideTable
from shapecheck.static.engine.symbolic_inputs import SymbolicInputs, is_symbolic

if TYPE_CHECKING:
    from shapecheck.static.engine.hooks import HookTable
    from shapecheck.static.engine.journal import Changes
    from shapecheck.static.engine.loading import Project, SourceModule
    from shapecheck.static.engine.memo import Kept
    from shapecheck.static.engine.operand_requirements import OperandRequirement
    from shapecheck.static.engine.origins import Origins
    from shapecheck.static.engine.scopes import Learning
    from shapecheck.static.engine.session import Session
    from shapecheck.static.observing.observer import RunObserver

T = TypeVar("T")

_MOST_NESTED = 2


@dataclass(eq=False, slots=True)
class Run:
    """The state of one entry point, or of the body of a module; `session` is shared with other runs.

    An isolated run inside another one (an import in the middle of a call) is a `Run` of its own. Part of a run with its
    own values in some fields is a `scope`. Nothing else may assign a field.
    """

    session: Session
    findings: dict[FindingKey, Finding] = field(default_factory=dict)
    called: set[Hashable] = field(default_factory=set)
    """The functions that were called; for constructors, also the defaults that were used or overridden."""
    analyzed: set[ast.AST] = field(default_factory=set)
    """The functions that were analyzed in isolation."""
    mark: int | None = None
    """The allocation id at which the entry began; None while the body of a module runs, which changes shared state."""
    closed_since: int | None = None
    """That of statements of a body that change nothing which functions read; they are not memoized for others."""
    defaults: EntryDefaults = field(default_factory=EntryDefaults)
    journal: Journal = field(default_factory=Journal)
    knowledge: PathConstraints = field(default_factory=PathConstraints)
    learned: AxisBindings = field(default_factory=AxisBindings)
    side_table: SideTable = field(default_factory=SideTable)
    frames: list[Frame] = field(default_factory=list)
    """The active calls. Use `frame` for the innermost one, and `outward` for callers."""
    running: Counter[ast.AST | None] = field(default_factory=Counter)
    """The number of active calls of each function."""
    budget: Budget = field(default_factory=Budget)
    cold: ColdCalls = field(default_factory=ColdCalls)
    goal: Goal | None = None
    """Where the run may end; None if it is to run completely."""
    effects: CallEffects = field(default_factory=CallEffects)
    """The effects of the innermost call that is recorded."""
    silence: Silence = field(default_factory=Silence)
    trials: int = 0
    """The depth of nested case splitting."""
    inputs: SymbolicInputs | None = None
    """The symbolic arguments of the entry point; read through `learnable`."""
    autocasting: bool = False
    """Whether autocast is enabled; part of the key of memoized calls."""
    is_wary: bool = False
    """Whether the receiver's state is uncertain, so that findings on only some paths are not reported."""
    watch: RunObserver | None = field(init=False)
    rules: HookTable = field(init=False)
    origins: Origins = field(init=False)
    """The session's rules and origins, here because every operator reads them."""

    def __post_init__(self) -> None:
        self.watch, self.rules, self.origins = self.session.watch, self.session.rules, self.session.origins
        self.journal.began = self.mark or 0

    # -- where it is

    @property
    def project(self) -> Project:
        """The project being checked."""
        return self.session.project

    @property
    def frame(self) -> Frame:
        """The innermost active call."""
        return self.frames[-1]

    @property
    def loaded(self) -> SourceModule:
        """The module of the running code."""
        return self.frame.names.loaded

    def inside(self, frame: Frame) -> Inside:
        """Pushes a frame inside."""
        return Inside(self, frame)

    def outward(self) -> Iterator[Frame]:
        """The active calls, innermost first: a call that reads the frames of its callers becomes uncacheable."""
        frames, effects = self.frames, self.effects
        for index in range(len(frames) - 1, -1, -1):
            effects.outermost_frame = min(effects.outermost_frame, index)
            yield frames[index]
        effects.outermost_frame = -1  # the search failed, which depends on all frames

    @property
    def is_quiet(self) -> bool:
        """Whether findings are suppressed."""
        self.mark_uncacheable()
        return bool(self.silence.depth)

    @property
    def is_unconditional(self) -> bool:
        """Whether every execution reaches this point, and findings are reported."""
        return not any(frame.is_parted for frame in self.outward()) and not self.trials and not self.silence.depth

    def is_analyzed(self, function: ast.AST) -> bool:
        """Whether a function was already analyzed in isolation."""
        self.mark_uncacheable()
        return function in self.analyzed

    def begin_analysis(self, function: ast.AST, *, with_axis_names: bool) -> None:
        """Marks a function as analyzed in isolation; from now on axis names denote sizes if it has any."""
        self.analyzed.add(function)
        if with_axis_names and not self.learned.in_use:
            self.mark_uncacheable()
            self.learned.in_use = True

    @property
    def may_learn(self) -> bool:
        """Whether symbolic arguments may be refined here.

        That this reads the frames of the callers is not recorded. A call that refines an argument restarts the
        analysis and is not memoized; one that does not is reused where its arguments cannot be refined.
        """
        return (
            self.inputs is not None
            and not self.trials
            and not self.silence.depth
            and (self.inputs.eager or not any(frame.is_parted for frame in self.frames))
        )

    def learnable(self, value: Value) -> str | None:
        """The name of the symbolic argument that a value is, if it may be refined here; else None."""
        if self.inputs is None or not is_symbolic(value):
            return None
        self.effects.reads_inputs = True
        name = self.inputs.name_of(value)
        return name if name is not None and self.may_learn else None

    def learn(self, parameter: str, value: Value, requirement: OperandRequirement, *, array_like: bool = False) -> None:
        """Refines an argument by a requirement on a value that has its run; restarts the analysis if it changes."""
        self.effects.is_warm = True
        if self.inputs is not None:
            self.inputs.learn(parameter, value, requirement, array_like=array_like)

    def learn_value(self, parameter: str, value: Value) -> None:
        """Assumes this value for an argument of the entry point, and restarts the analysis."""
        if self.inputs is not None:
            self.inputs.learn_value(parameter, value)

    # -- metadata of values

    def attach(self, value: object, kind: str, fact: object) -> None:
        """Attaches a fact to a value; a copy from the cache would not have it."""
        self.effects.marked.add(id(value))
        self.side_table.attach(value, kind, fact)

    def metadata(self, value: object, kind: str) -> Any:  # each rule knows the type of its facts
        """The fact of one kind that is attached to a value; None if there is none."""
        fact = self.side_table.get(value, kind)
        if fact is not None:
            self.effects.read_marks.add(id(value))
        return fact

    # -- caching

    def mark_uncacheable(self) -> None:
        """Marks the active calls as uncacheable, because what happens now may differ elsewhere."""
        self.effects.is_uncacheable = True

    def has_room_for(self, kept: Kept) -> bool:
        """Whether a call could run here within the limits and without recursion, as it did elsewhere."""
        within = len(self.frames) + kept.height < MOST_DEPTH and self.trials + kept.nesting <= _MOST_NESTED
        return within and not any(frame.function in kept.called or frame.name in kept.absent for frame in self.frames)

    def memoized(self, cost: StepCost, steps: int) -> None:
        """Records a call that was executed and memoized, and its steps."""
        self.budget.pay(cost)
        self.effects.made(cost, steps)

    def replay(self, kept: Kept) -> None:
        """Records the effects of a call whose result comes from the cache."""
        before = self.budget.steps
        self.budget.charge(kept.cost)
        self.called.update(kept.called)
        self.effects.replayed(kept, self.budget.steps - before)
        self.effects.went(len(self.frames) + kept.height, self.trials + kept.nesting)
        self.cold.reuse(kept.cost)
        if self.watch is not None:
            self.watch.replayed(self, kept.called)

    # -- limits

    def step(self) -> None:
        """Counts one step; raises OutOfSteps if the budget is exceeded."""
        budget = self.budget
        budget.steps += 1
        if budget.steps > budget.most:
            raise OutOfSteps

    def may_nest(self) -> bool:
        """Whether case splitting may nest one level deeper."""
        if self.trials >= _MOST_NESTED:
            self.mark_uncacheable()
        return self.trials < _MOST_NESTED

    # -- findings

    def report(
        self,
        code: str,
        node: ast.AST,
        message: str,
        why: Callable[[], Sequence[Note]] | None = None,
        causes: Callable[[], Iterable[str]] | None = None,
        conflict: Conflict | None = None,
    ) -> Never:
        """Records a finding at a node of the running code, and returns its result, `Never`.

        `why` returns notes that precede the call stack, `causes` what identifies the mistake; both are called only if
        the finding is reported.
        """
        self.mark_uncacheable()
        self.effects.is_warm = True
        self.session.noted.any = True
        place = Place(self.loaded, node)
        key = _key(place, code)
        if self.silence.depth:
            confirm(self.frames, key, self.trials)
        elif key not in self.findings and is_proven(code, self.frames, is_wary=self.is_wary):
            callers = [frame.call for frame in reversed(self.frames) if frame.call is not None]
            notes = [*(why() if why is not None else ()), *call_notes(self.frames)]
            roots = causes() if causes is not None else ()
            self.findings[key] = Finding(diagnostic_at(code, place, message, notes, roots), callers, conflict)
            doubt(self.frames, key)
            if self.goal is not None:
                self.goal.check(self.findings)
        return Never(message)

    def tell(self, code: str, node: ast.AST, message: str) -> None:
        """Records output that the source requests: each distinct message, even while findings are suppressed."""
        self.mark_uncacheable()
        self.session.noted.any = True
        place = Place(self.loaded, node)
        self.findings.setdefault(
            _key(place, f"{code}: {message}"), Finding(diagnostic_at(code, place, message, []), [])
        )

    def take_over(self, learned: Learning) -> None:
        """Adopts the findings of a part of the run, and the functions that it analyzed in isolation."""
        for key, finding in learned.findings.items():
            self.findings.setdefault(key, finding)
        self.analyzed.update(learned.analyzed)
        if self.goal is not None:
            self.goal.check(self.findings)

    # -- parts of it

    def scope(self, **own: object) -> Scope:
        """Assigns these fields inside, and restores every field at the end.

        Mutations of objects in the fields are not undone; the journal undoes changes of values.
        """
        return Scope(self, own, _FIELDS)

    def silenced(self) -> Silence:
        """Suppresses findings inside."""
        return self.silence

    def safely(self, loaded: SourceModule, node: ast.AST, body: Callable[[], object]) -> None:
        """Runs `body` as far as possible; an exception in the engine becomes a finding of its own."""
        depth = len(self.frames)
        try:
            with suppress(GoalReached):
                body()
        except (OutOfSteps, RecursionError):
            self.session.unfinished.add(loaded)
        except Exception as fault:
            del self.frames[depth:]
            with suppress(GoalReached), self.inside(Frame(Namespace(loaded))):
                self.report("internal-error", node, fault_text(fault))
        finally:
            del self.frames[depth:]

    def branch(self, *alternatives: Callable[[], tuple[T, bool]], widen: bool = False) -> list[T]:
        """Runs alternatives, each from the current state, and joins the states of those that continue.

        Each returns its result and whether it continues. `widen` is for the later rounds of a loop.
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


_FIELDS = RunFields(one.name for one in fields(Run))
