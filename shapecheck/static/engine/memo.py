"""Memoization: results of calls are reused for calls of the same function with equal arguments.

A result is kept if the effects of the call (`effects`) prove that it is a function of its key: the call reported
nothing, changed no older object, and read nothing but its arguments, the path constraints and module namespaces. The
result is copied for each later call, so that two calls never share an object.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from shapecheck.project.observed_code import STATE, Observing
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.fingerprints import NotMemoizable, copied, fingerprint
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Object
from shapecheck.static.engine.closures import captured
from shapecheck.static.engine.effects import Recording
from shapecheck.static.engine.reuse_conditions import has_learnable, has_metadata

if TYPE_CHECKING:
    from shapecheck.static.engine.effects import CallEffects
    from shapecheck.static.engine.run import Run

_MOST = 10_000
"""The number of most recently used calls to keep, in each of two generations."""


_Key = tuple[object, ...]


class Kept:
    """The result of a call, the older objects among its arguments, and the conditions of its reuse."""

    __slots__ = ("absent", "arguments", "called", "cost", "height", "nesting", "observed", "reads_inputs", "result")

    def __init__(
        self, result: Value, arguments: list[Object], effects: CallEffects, observed: set[str], *, has_inputs: bool
    ) -> None:
        self.result = result
        self.observed = observed
        self.arguments = arguments
        self.called: frozenset[Hashable] = frozenset(effects.called)
        self.absent: frozenset[str] = frozenset(effects.absent)
        self.cost = effects.cost()
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
        self, run: Run, function: FunctionValue | ClassValue, given: Value, since: int, body: Callable[[], Value]
    ) -> Value:
        """The result of `body`, which calls `function` with the arguments `given`, from the cache if possible.

        Objects allocated after `since` belong to the call.
        """
        is_nested = function.closure.parent is not None
        if not run.is_cacheable or (is_nested and not isinstance(function, FunctionValue)):
            return body()
        if is_nested and isinstance(function, FunctionValue):
            given = (given, captured(function))
        try:
            found, met = fingerprint(given)
        except NotMemoizable:
            return body()
        known = run.knowledge
        state = (
            known.facts,
            known.ranks,
            run.autocasting,
            run.budget.in_group,
            *run.defaults.nested.items(),
        )
        watched = _watched(run)
        key = (function.node, watched, *state, *found)
        objects = [one for one in met if one.allocation_id < since]
        kept = self._found(key)
        if kept is None and watched is not False and run.session.watch is not None:
            kept = self._found((function.node, False, *state, *found))
        if kept is not None and _applies(run, kept, given):
            run.replay(kept)
            STATE.current |= kept.observed
            return copied(kept.result, dict(zip(kept.arguments, objects, strict=True)), None)
        return self._run(run, key, objects, since, body)

    def _found(self, key: _Key) -> Kept | None:
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

    def _run(self, run: Run, key: _Key, objects: list[Object], since: int, body: Callable[[], Value]) -> Value:
        with Recording(run, since) as effects, Observing() as observed:
            result = body()
        if effects.is_pure and not has_metadata(run, result):
            try:
                pristine = copied(result, {one: one for one in objects}, since)
            except NotMemoizable:
                pass
            else:
                kept = Kept(pristine, objects, effects, observed, has_inputs=run.inputs is not None)
                self._keep(key, kept)
                run.memoized(kept.cost, effects.steps)
                return result
        run.effects.absorb_cost(effects)
        return result


def _watched(run: Run) -> bool | None:
    """How the run is observed: what an observer has seen in one way, it need not see again in the same way.

    One that has seen everything (False) has also seen what a run without it, or with one that only fills, would show.
    """
    return None if run.watch is None else run.watch.only_fills


def _applies(run: Run, kept: Kept, given: Value) -> bool:
    """Whether a call with equal arguments would run the same way here."""
    return (
        run.has_room_for(kept)
        and not has_metadata(run, given)
        and not (kept.reads_inputs and has_learnable(run, given))
    )
