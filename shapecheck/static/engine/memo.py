"""Memoization: results of calls are reused for calls of the same function with equal arguments.

A result is kept if the effects of the call (`effects`) prove that it is a function of its key: the call reported
nothing, changed no older object, and read nothing but its arguments, the path constraints and module namespaces. The
result is copied for each later call, so that two calls never share an object.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING

from shapecheck.project.observed_code import STATE, Observing
from shapecheck.spec import Dim
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Never, NoReturn, members_of
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.fingerprints import Identified, NotMemoizable, copied, fingerprint
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, ListValue
from shapecheck.static.domain.structure import children
from shapecheck.static.engine.cold_calls import Charge
from shapecheck.static.engine.cold_summaries import summarize, summary_of
from shapecheck.static.engine.effects import Recording
from shapecheck.static.engine.lost_writes import repeat_lost_writes
from shapecheck.static.engine.reuse_conditions import has_learnable, has_metadata, marks_arguments
from shapecheck.static.engine.watching import Watching

if TYPE_CHECKING:
    from shapecheck.static.engine.effects import CallEffects
    from shapecheck.static.engine.run import Run

_MOST = 10_000
"""The number of most recently used calls to keep, in each of two generations."""


_Key = tuple[object, ...]


class Kept:
    """The result of a call, the older objects and functions in its arguments, and the conditions of its reuse."""

    __slots__ = (
        "absent",
        "arguments",
        "called",
        "cost",
        "epoch",
        "height",
        "is_warm",
        "lost_writes",
        "nesting",
        "observed",
        "reads_inputs",
        "result",
    )

    def __init__(
        self, result: Value, arguments: list[Identified], effects: CallEffects, observed: set[str], *, has_inputs: bool
    ) -> None:
        self.result = result
        self.observed = observed
        self.arguments = arguments
        self.called: frozenset[Hashable] = frozenset(effects.called)
        self.absent: frozenset[str] = frozenset(effects.absent)
        self.cost = effects.cost()
        self.epoch = effects.epoch
        self.is_warm = effects.is_warm
        self.lost_writes = tuple(effects.lost_writes)
        self.height = effects.height
        self.nesting = effects.nesting
        self.reads_inputs = effects.reads_inputs or not has_inputs
        """Whether it may read symbolic inputs; unknown if the run had none."""


class Memo:
    """Memoized calls by function and arguments."""

    __slots__ = ("_kept", "_older")

    def __init__(self) -> None:
        self._kept: dict[_Key, Kept] = {}
        self._older: dict[_Key, Kept] = {}

    def call(
        self,
        run: Run,
        function: FunctionValue | ClassValue,
        given: Value,
        since: int,
        body: Callable[[], Value],
        *,
        node: ast.AST | None,
    ) -> Value:
        """The result of `body`, which calls `function` with the arguments `given`, from the cache if possible.

        Objects allocated after `since` belong to the call. `node` is the call, None if no code of the program calls it.
        """
        if isinstance(function, FunctionValue) and function.node in run.cold.cold and node is not None:
            summary = summary_of(run, function, given)
            if summary is not None:
                return summarize(run, function, summary)
        bound = given
        if function.closure.parent is not None and isinstance(function, FunctionValue):
            given = given, function  # it also reads what it captures
        key, met = _key(run, function, given)
        objects = [one for one in met if isinstance(one, FunctionValue) or one.allocation_id < since]
        kept = None if key is None else self._found(run, key)
        if kept is not None and _applies(run, kept, given):
            run.replay(kept)
            repeat_lost_writes(run, kept.lost_writes)
            STATE.current |= kept.observed
            result = copied(kept.result, dict(zip(kept.arguments, objects, strict=True)), None)
            if run.watch is not None and node is not None and isinstance(function, FunctionValue):
                run.watch.reused(run, node, function, bound, result)
            return result
        return self._run(run, function, given, key, objects, since, body)

    def _run(
        self,
        run: Run,
        function: FunctionValue | ClassValue,
        given: Value,
        key: _Key | None,
        objects: list[Identified],
        since: int,
        body: Callable[[], Value],
    ) -> Value:
        """The result of `body`, which is kept under the key if it depends on nothing else."""
        position = run.cold.position
        with Recording(run, since) as effects, Observing() as observed:
            result = body()
        if isinstance(result, Instance) and is_module(result.cls):
            run.effects.is_warm = effects.is_warm = True
        if isinstance(function, FunctionValue):
            is_warm = effects.is_warm or any(map(_is_needed, members_of(result)))
            own = effects.steps - effects.inner_steps
            run.cold.charge(Charge(function.node, own, effects.called, effects.module_changes, is_warm=is_warm))
        kept = None if key is None else _kept(run, given, objects, since, result, effects, observed)
        if key is None or kept is None:
            run.effects.absorb_cost(effects)
        else:
            self._keep(key, kept)
            run.cold.settle(kept.cost, position)
            run.memoized(kept.cost, effects.steps)
        return result

    def _found(self, run: Run, key: _Key) -> Kept | None:
        """A call with this key; for one that is observed, also one that was observed completely."""
        kept = self._kept_as(key)
        if kept is None and key[1] is not Watching.ALL and run.session.watch is not None:
            return self._kept_as((key[0], Watching.ALL, *key[2:]))
        return kept

    def _kept_as(self, key: _Key) -> Kept | None:
        kept = self._kept.get(key)
        if kept is None:
            kept = self._older.get(key)
            if kept is not None:
                self._keep(key, kept)
        return kept

    def _keep(self, key: _Key, kept: Kept) -> None:
        """Keeps a call; if there are too many, the least recently used half is dropped."""
        if len(self._kept) >= _MOST:
            self._kept, self._older = {}, self._kept
        self._kept[key] = kept


def _key(
    run: Run, function: FunctionValue | ClassValue, given: Value
) -> tuple[_Key, Iterable[Identified]] | tuple[None, tuple[()]]:
    """What the result of a call depends on, and what is numbered in its arguments; None if it cannot be memoized."""
    is_nested = function.closure.parent is not None
    if not _is_cacheable(run) or (is_nested and not isinstance(function, FunctionValue)):
        return None, ()
    try:
        found, met = fingerprint(given)
    except NotMemoizable:
        return None, ()
    known = run.knowledge
    state = (
        known.facts,
        known.ranks,
        run.autocasting,
        run.budget.in_group,
        run.closed_since,
        run.journal.version,
        *run.defaults.nested.items(),
    )
    return (function.node, _watched(run), *state, *found), met


def _is_cacheable(run: Run) -> bool:
    """Whether calls may be memoized: origins are not recorded, and no code runs that defines what functions read."""
    observed = run.origins.noted or run.learned.in_use
    return not observed and (run.mark is not None or run.closed_since is not None)


def _kept(
    run: Run,
    given: Value,
    objects: list[Identified],
    since: int,
    result: Value,
    effects: CallEffects,
    observed: set[str],
) -> Kept | None:
    """The call, to be memoized if its result depends on nothing but the key."""
    if not effects.is_pure or has_metadata(run, result) or marks_arguments(effects, given):
        return None
    try:
        pristine = copied(result, {one: one for one in objects}, since)
    except NotMemoizable:
        return None
    return Kept(pristine, objects, effects, observed, has_inputs=run.inputs is not None)


def _is_needed(result: Value) -> bool:
    """Whether a result is a number or several, which may be sizes, or shows that the call fails."""
    if isinstance(result, (tuple, ListValue)):
        return any(isinstance(one, (int, Dim)) for one in children(result))
    return isinstance(result, (Never, NoReturn, int, Dim)) and not isinstance(result, bool)


def _watched(run: Run) -> Watching | None:
    """How the run is observed: what an observer has seen in one way, it need not see again in the same way.

    One that has seen everything has also seen what a run that is watched in another way, or not at all, would show.
    """
    return None if run.watch is None else run.watch.watching


def _applies(run: Run, kept: Kept, given: Value) -> bool:
    """Whether a call with equal arguments would run the same way here."""
    return (
        run.has_room_for(kept)
        and (kept.epoch is None or kept.epoch == run.cold.epoch)
        and (kept.epoch is not None or run.cold.cold.isdisjoint(kept.called))
        and not has_metadata(run, given)
        and not (kept.reads_inputs and has_learnable(run, given))
    )
