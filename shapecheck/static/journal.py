"""Every change of an object goes through here, so that a branch costs what it changes and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from shapecheck.ops import Unknown
from shapecheck.static.join import join
from shapecheck.static.values import Collection, Object, Value, births

_ABSENT = object()
Changes = dict[tuple[Object, str], Value]


class Journal:
    """The changes so far, in order, each with what was there before."""

    def __init__(self) -> None:
        self._entries: list[tuple[Object, str, Value]] = []
        self._began = 0
        self.oldest: float = inf
        """When the oldest object that was changed was made; whoever wants to know from now on sets it to inf."""

    def write(self, target: Object, field: str, value: Value) -> None:
        """Sets a field. What was made in the branch that is being run needs no undoing: nothing else can reach it."""
        born = target.born
        if born < self.oldest:
            self.oldest = born
        if born >= self._began:
            target.fields[field] = value
            return
        self._entries.append((target, field, target.fields.get(field, _ABSENT)))
        target.fields[field] = value

    def delete(self, target: Object, field: str) -> None:
        """Removes a field, if it is there."""
        if field in target.fields:
            self.oldest = min(self.oldest, target.born)
            before = target.fields.pop(field)
            if target.born < self._began:
                self._entries.append((target, field, before))

    def apart(self, run: Callable[[], Value]) -> tuple[Value, Changes]:
        """Runs something, undoes what it changed, and returns its result and the changes."""
        mark, began = len(self._entries), self._began
        self._began = next(births)
        try:
            result = run()
        finally:
            self._began = began
        changes: Changes = {}
        while len(self._entries) > mark:
            target, field, before = self._entries.pop()
            changes.setdefault((target, field), target.fields.get(field, _ABSENT))
            if before is _ABSENT:
                target.fields.pop(field, None)
            else:
                target.fields[field] = before
        return result, changes

    def apply(self, changes: Changes) -> None:
        """Makes changes that were undone."""
        for (target, field), value in changes.items():
            self._settle(target, field, value)

    def lose(self, target: Collection) -> None:
        """From now on nothing is known of what a collection holds."""
        self.write(target, "lost", True)

    def _merge_items(self, target: Collection, field: str, one: Value, other: Value) -> None:
        if field == "lost":
            self.lose(target)
        elif type(one) is tuple is type(other) and len(one) == len(other):
            self.write(target, field, join(one, other))
        elif isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
            self.write(target, field, {key: join(one[key], other[key]) for key in one})
        else:
            self.write(target, field, one)
            self.lose(target)

    def merge(self, alternatives: Sequence[Changes]) -> None:
        """Makes what is common to several alternatives; where they differ, what holds of all of them."""
        for target, field in dict.fromkeys(key for changes in alternatives for key in changes):
            before = target.fields.get(field, _ABSENT)
            first, *others = (changes.get((target, field), before) for changes in alternatives)
            self._settle(target, field, first)
            for other in others:
                self._meet(target, field, other)

    def _settle(self, target: Object, field: str, value: Value) -> None:
        if value is _ABSENT:
            self.delete(target, field)
        else:
            self.write(target, field, value)

    def _meet(self, target: Object, field: str, other: Value) -> None:
        one = target.fields.get(field, _ABSENT)
        if isinstance(target, Collection):
            self._merge_items(target, field, one, other)
        elif one is _ABSENT and other is _ABSENT:
            return
        elif one is _ABSENT or other is _ABSENT:
            self.write(target, field, Unknown("only set in one branch"))
        else:
            self.write(target, field, join(one, other))
