"""Call effects: what a call reads and changes except its arguments and result, which decides whether it is cacheable.

Every accessor of `Run` whose result depends on the callers, on earlier findings or on the entry point records that
here, so that cacheability follows from what a call does. Function summaries for other runs would need more of this:
which fields are read, and which are written.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from shapecheck.static.engine.budget import StepCost

if TYPE_CHECKING:
    from shapecheck.static.domain.abstract_values import Field, Value
    from shapecheck.static.domain.objects import Object
    from shapecheck.static.engine.memo import Kept
    from shapecheck.static.engine.run import Run

LostWrite: TypeAlias = "tuple[str, type, Value]"
"""The name of an attribute of an unknown object, and what is assigned, with its type."""


class CallEffects:
    """The effects of one call, while it runs and afterwards.

    `base` and `trials` are the depth of the stack and of nested alternatives at its start.
    """

    __slots__ = (
        "absent",
        "base",
        "called",
        "epoch",
        "inner_steps",
        "is_pure",
        "is_uncacheable",
        "is_warm",
        "lost_writes",
        "marked",
        "module_changes",
        "outermost_frame",
        "parts",
        "peak",
        "read_marks",
        "reads_inputs",
        "shared_steps",
        "steps",
        "trials",
        "trials_peak",
    )

    def __init__(self, base: int = 0, trials: int = 0) -> None:
        self.base = self.peak = base
        self.trials = self.trials_peak = trials
        self.called: set[Hashable] = set()
        """The functions that ran."""
        self.absent: set[str] = set()
        """The names of functions of which it matters that none is active."""
        self.is_uncacheable = False
        self.is_pure = False
        """Set at the end: whether it changed no older object and would run the same way elsewhere."""
        self.outermost_frame: float = inf
        """The index of the outermost frame that was read; frames below `base` belong to callers."""
        self.lost_writes: list[LostWrite] = []
        """Its writes to attributes of unknown objects."""
        self.marked: set[int] = set()
        """The ids of the values to which it attached metadata."""
        self.read_marks: set[int] = set()
        """The ids of the values whose metadata it read."""
        self.reads_inputs = False
        """Whether the symbolic inputs of the entry point were read."""
        self.module_changes: frozenset[tuple[Object, Field]] = frozenset()
        """Set at the end: the fields of objects of modules that it changed, in the run of an entry point."""
        self.is_warm = False
        """Whether it met a tensor, built a layer, or reported a finding."""
        self.epoch: object = None
        """What the summaries of cold calls that it used belong to; None if it used none."""
        self.steps = 0
        self.inner_steps = 0
        """The part of its steps that the calls account for which it made."""
        self.shared_steps = 0
        """The part of its steps that memoized calls account for."""
        self.parts: dict[StepCost, int] = {}
        """The memoized calls that it made, and how often."""

    @property
    def height(self) -> int:
        """How many frames it pushed at its deepest."""
        return self.peak - self.base

    @property
    def nesting(self) -> int:
        """How many levels of case splitting it nested."""
        return self.trials_peak - self.trials

    def cost(self) -> StepCost:
        """The cost of running it again."""
        return StepCost(self.steps - self.shared_steps, self.parts)

    def went(self, height: int, nesting: int) -> None:
        """Records a depth of the stack and of case splitting."""
        self.peak = max(self.peak, height)
        self.trials_peak = max(self.trials_peak, nesting)

    def made(self, cost: StepCost, steps: int) -> None:
        """Records a memoized call and its steps in this run."""
        self.parts[cost] = self.parts.get(cost, 0) + 1
        self.shared_steps += steps

    def replayed(self, kept: Kept, steps: int) -> None:
        """Records a call whose result comes from the cache, and its steps."""
        self.made(kept.cost, steps)
        self.inner_steps += steps
        self.is_warm |= kept.is_warm
        self.epoch = self.epoch or kept.epoch
        self.reads_inputs |= kept.reads_inputs
        self.absent |= kept.absent

    def absorb(self, inner: CallEffects) -> None:
        """Adds the effects of an inner call, except its cost."""
        self.is_uncacheable |= inner.is_uncacheable
        self.absent |= inner.absent
        self.reads_inputs |= inner.reads_inputs
        if inner.lost_writes:
            self.lost_writes += [one for one in inner.lost_writes if one not in self.lost_writes]
        if inner.marked:
            self.marked |= inner.marked
        if inner.read_marks:
            self.read_marks |= inner.read_marks
        self.is_warm |= inner.is_warm
        self.epoch = self.epoch or inner.epoch
        self.inner_steps += inner.steps
        self.outermost_frame = min(self.outermost_frame, inner.outermost_frame)
        self.went(inner.peak, inner.trials_peak)

    def absorb_cost(self, inner: CallEffects) -> None:
        """Adds the cost of an inner call that is not memoized."""
        for cost, times in inner.parts.items():
            self.parts[cost] = self.parts.get(cost, 0) + times
        self.shared_steps += inner.shared_steps


class Recording:
    """Records the effects of a call; objects allocated after `since` are its own."""

    __slots__ = ("_facts", "_inner", "_oldest", "_outer", "_position", "_ranks", "_run", "_scope", "_since", "_steps")

    def __init__(self, run: Run, since: int) -> None:
        self._run = run
        self._since = since
        self._outer = run.effects
        self._facts = run.knowledge.facts
        self._ranks = run.knowledge.ranks
        self._oldest = run.journal.oldest
        self._position = run.journal.position
        self._steps = run.budget.steps
        self._inner = CallEffects(len(run.frames), run.trials)
        self._scope = run.scope(effects=self._inner, called=self._inner.called)

    def __enter__(self) -> CallEffects:
        self._run.journal.oldest = inf
        self._scope.__enter__()
        return self._inner

    def __exit__(self, *_: object) -> None:
        run, inner, journal = self._run, self._inner, self._run.journal
        self._scope.__exit__()
        inner.steps = run.budget.steps - self._steps
        inner.is_pure = (
            not inner.is_uncacheable
            and inner.outermost_frame >= inner.base
            and inner.read_marks <= inner.marked
            and journal.oldest >= self._since
            and run.knowledge.facts is self._facts
            and run.knowledge.ranks is self._ranks
            and _is_unnarrowed(run, self._position[1], self._since)
        )
        if run.mark is not None and journal.oldest < run.mark:
            inner.module_changes = journal.changed_since(self._position, run.mark)
        run.called.update(inner.called)
        self._outer.absorb(inner)
        journal.oldest = min(self._oldest, journal.oldest)


def _is_unnarrowed(run: Run, count: int, since: int) -> bool:
    """Whether no field of an object older than the call is narrowed by it."""
    first: dict[tuple[Object, Field], Value] = {}
    for target, field, held in run.journal.narrowed[count:]:
        if target.allocation_id < since:
            first.setdefault((target, field), held)
    return all(target.fields.get(field) is held for (target, field), held in first.items())
