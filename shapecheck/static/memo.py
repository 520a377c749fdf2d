"""What a call gave, kept for calls of the same function with equal arguments.

A call is kept where it could not have gone otherwise: it reported nothing, changed nothing that was there before it,
and read nothing but its arguments and what the project's modules hold. What it gave is copied for each later call, so
that two calls never share an object.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from shapecheck.static.abstract_values import Value
from shapecheck.static.fingerprints import NotMemoizable, copied, fingerprint
from shapecheck.static.objects import ClassValue, FunctionValue, Object

if TYPE_CHECKING:
    from shapecheck.static.machine import Machine

_MOST = 10_000
"""How many calls are kept of those that were made or asked for last, and once more of those before them."""


class Kept:
    """What a call gave, the functions that ran in it, its steps, and how many calls deep it went."""

    __slots__ = ("arguments", "called", "height", "result", "steps")

    def __init__(
        self, result: Value, arguments: list[Object], called: frozenset[Hashable], steps: int, height: int
    ) -> None:
        self.result = result
        self.arguments = arguments
        self.called = called
        self.steps = steps
        self.height = height


class Memo:
    """The calls that are kept, by function and arguments."""

    __slots__ = ("_kept", "_older")

    def __init__(self) -> None:
        self._kept: dict[Any, Kept] = {}
        self._older: dict[Any, Kept] = {}

    def call(
        self, machine: Machine, function: FunctionValue | ClassValue, given: Any, since: int, run: Callable[[], Value]
    ) -> Value:
        """What `run` gives, which is the call of `function` with the arguments `given`; perhaps without running it.

        What was made after `since` belongs to the call.
        """
        if not machine.repeatable or function.closure.parent is not None:
            return run()
        try:
            found, met = fingerprint(given)
        except NotMemoizable:
            return run()
        key = (function.node, machine.knowledge.facts, machine.autocasting, *found)
        objects = [one for one in met if one.born < since]
        kept = self._found(key)
        if kept is not None and machine.could_hold(kept.called, kept.height):
            machine.called |= kept.called
            machine.steps += kept.steps
            return copied(kept.result, dict(zip(kept.arguments, objects, strict=True)), None)
        return self._run(machine, key, objects, since, run)

    def _found(self, key: Any) -> Kept | None:
        kept = self._kept.get(key)
        if kept is None:
            kept = self._older.get(key)
            if kept is not None:
                self._keep(key, kept)
        return kept

    def _keep(self, key: Any, kept: Kept) -> None:
        """Keeps a call; where there are too many, those are forgotten that nobody has asked for in a while."""
        if len(self._kept) >= _MOST:
            self._kept, self._older = {}, self._kept
        self._kept[key] = kept

    def _run(self, machine: Machine, key: Any, objects: list[Object], since: int, run: Callable[[], Value]) -> Value:
        with machine.observed(since) as seen:
            result = run()
        if seen.alone:
            try:
                pristine = copied(result, {one: one for one in objects}, since)
            except NotMemoizable:
                return result
            self._keep(key, Kept(pristine, objects, frozenset(seen.called), seen.steps, seen.height))
        return result
