"""The journal: the record of all changes of objects, so that a branch can be undone at the cost of its changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from itertools import chain
from math import inf
from typing import NamedTuple, TypeVar

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import ABSENT, Field, Value
from shapecheck.static.domain.alternatives import MaybeAbsent, present
from shapecheck.static.domain.join import Agree, join, joined_items, widen_value
from shapecheck.static.domain.objects import (
    IS_TOP,
    STANDS_FOR,
    SUMMARY,
    Collection,
    DictValue,
    Instance,
    ListValue,
    ModuleContainer,
    Object,
    allocation_ids,
)
from shapecheck.static.domain.summary_collections import FIELDS, merge_layer_states, merge_states
from shapecheck.static.engine.path_constraints import PathConstraints, joined_constraint, size_agreement

T = TypeVar("T")
_MAY_BE_ABSENT = (type(ABSENT), MaybeAbsent)


class Mark(NamedTuple):
    """A position in the journal; objects allocated after it have greater allocation ids."""

    position: int
    allocation_id: int
    free: int


class Changes(dict[tuple[Object, Field], Value]):
    """The fields changed between two marks, with their values at the later one."""

    __slots__ = ("_targets", "began", "ended")

    def __init__(self, began: int) -> None:
        self.began = began
        self.ended = next(allocation_ids)
        self._targets: set[Object] | None = None

    def may_know(self, target: Object) -> bool:
        """Whether an object can be known to this branch: objects allocated in one branch are unreachable in others."""
        if isinstance(target, Collection):
            return self.began <= target.allocation_id < self.ended
        if self._targets is None:
            self._targets = {one for one, _ in self}
        return target in self._targets


NO_CHANGES = Changes(0)


class Journal:
    """The changes so far, in order, each with the previous value."""

    def __init__(self) -> None:
        self._entries: list[tuple[Object, Field, Value]] = []
        self._free = 0
        """Objects with this allocation id or a greater one are reachable from the current branch alone."""
        self.oldest: float = inf
        """The smallest allocation id of a changed object; `recording` resets it to inf."""
        self.began = 0
        """Objects with a smaller allocation id are older than the entry point."""
        self.version: object = None
        """What identifies the state of older objects; None if they are as they were when the entry point began."""
        self._versions: list[tuple[int, object]] = []
        """The position of each change of an older object, and the version before it."""
        self.narrowed: list[tuple[Object, Field, Value]] = []
        """Fields whose values were narrowed, and the previous values."""
        self._views: dict[tuple[Object, Field], list[tuple[Value, Value]]] = {}

    def write(self, target: Object, field: Field, value: Value) -> None:
        """Sets a field. Objects allocated in the current branch need no undo: no other branch can reach them."""
        if target.allocation_id < self.oldest and type(target) is not PathConstraints:
            self.oldest = target.allocation_id
        self._note_older(target)
        self._set(target, field, value)
        if STANDS_FOR in target.fields:
            self._lose_others(target)

    def _note_older(self, target: Object) -> None:
        if target.allocation_id < self.began and type(target) is not PathConstraints:
            self._versions.append((len(self._entries), self.version))
            self.version = object()

    def _set(self, target: Object, field: Field, value: Value) -> None:
        if target.allocation_id < self._free:
            self._entries.append((target, field, target.fields.get(field, ABSENT)))
        target.fields[field] = value

    def delete(self, target: Object, field: Field) -> None:
        """Removes a field if it is set."""
        if field in target.fields:
            self.oldest = min(self.oldest, target.allocation_id)
            self._note_older(target)
            before = target.fields.pop(field)
            if target.allocation_id < self._free:
                self._entries.append((target, field, before))

    def narrow(self, target: Object, field: Field, value: Value) -> None:
        """Sets a field to a narrowed version of its value: not a change of the value, but of what is known about it."""
        held = target.fields.get(field)
        self._views.setdefault((target, field), []).append((value, held))
        self.narrowed.append((target, field, held))
        self._set(target, field, value)

    def mark(self) -> Mark:
        """The current position in the journal."""
        return Mark(len(self._entries), next(allocation_ids), self._free)

    def since(self, mark: Mark) -> Changes:
        """The changes since the mark; later changes are recorded separately."""
        changes = Changes(mark.allocation_id)
        for target, field, _ in self._entries[mark.position :]:
            changes[target, field] = target.fields.get(field, ABSENT)
        self._free = next(allocation_ids)
        return changes

    @property
    def position(self) -> tuple[int, int]:
        """The number of changes so far, and of narrowed fields."""
        return len(self._entries), len(self.narrowed)

    def changed_since(self, position: tuple[int, int], before: int) -> frozenset[tuple[Object, Field]]:
        """The fields of objects with a smaller allocation id that changed since then, and were not only narrowed."""
        changed = Counter(
            (target, field) for target, field, _ in self._entries[position[0] :] if target.allocation_id < before
        )
        changed.subtract((target, field) for target, field, _ in self.narrowed[position[1] :])
        return frozenset(one for one, count in changed.items() if count > 0 and type(one[0]) is not PathConstraints)

    def rejoin(self, mark: Mark) -> None:
        """Ends the separation of branches that began after the mark."""
        self._free = mark.free

    def before(self, mark: Mark) -> dict[tuple[Object, Field], Value]:
        """The values at the mark of the fields that were written since, if the current branch began there."""
        found: dict[tuple[Object, Field], Value] = {}
        for target, field, before in self._entries[mark.position :]:
            found.setdefault((target, field), before)
        return found

    def undo(self, mark: Mark) -> Changes:
        """Undoes the changes since the mark, and returns them."""
        changes = Changes(mark.allocation_id)
        entries = self._entries
        while len(entries) > mark.position:
            target, field, before = entries.pop()
            changes.setdefault((target, field), target.fields.get(field, ABSENT))
            if before is ABSENT:
                target.fields.pop(field, None)
            else:
                target.fields[field] = before
        while self._versions and self._versions[-1][0] >= mark.position:
            _, self.version = self._versions.pop()
        return changes

    def apart(self, action: Callable[[], T]) -> tuple[T, Changes]:
        """Runs an action, undoes its changes, and returns its result and the changes."""
        mark = self.mark()
        self._free = inside = next(allocation_ids)
        try:
            result = action()
        finally:
            if self._free == inside:  # no branches separated inside
                self._free = mark.free
        return result, self.undo(mark)

    def tried(self, action: Callable[[], T]) -> tuple[T, Changes]:
        """The same for an action that rarely changes anything and has no branches; it is also undone if it raises."""
        position, born = len(self._entries), next(allocation_ids)
        free, self._free = self._free, born
        try:
            result = action()
        finally:
            self._free = free
            unchanged = len(self._entries) == position
            changes = NO_CHANGES if unchanged else self.undo(Mark(position, born, free))
        return result, changes

    def apply(self, changes: Changes) -> None:
        """Applies changes that were undone."""
        for (target, field), value in changes.items():
            self._settle(target, field, value)

    def lose(self, target: Collection) -> None:
        """Makes the items of a collection unknown."""
        self.write(target, IS_TOP, True)
        self.delete(target, SUMMARY)

    def _lose_others(self, target: Object) -> None:
        """Makes the items of the collections unknown that a changed stand-in may be."""
        others = target.fields[STANDS_FOR]
        for one in others if isinstance(others, tuple) else ():
            if isinstance(one, Collection) and (not one.lost or SUMMARY in one.fields):
                self.lose(one)

    def merge(self, alternatives: Sequence[Changes], *, widen: bool = False) -> None:
        """Applies the join of the changes of several branches.

        With `widen`, alternatives that grew become unknown, so that the rounds of a loop terminate.
        """
        if len(alternatives) == 1 and not widen:
            self.apply(alternatives[0])
            return
        changed = dict.fromkeys(chain.from_iterable(alternatives))
        if not changed:
            return
        agree = size_agreement(alternatives)
        began = min(changes.began for changes in alternatives)
        merged = self._merge_collections(changed, alternatives, began, agree, widen=widen)
        for target, field in changed:
            if target in merged:
                continue
            before = target.fields.get(field, ABSENT)
            known_to = [
                one
                for one in alternatives
                if target.allocation_id < began or (target, field) in one or one.may_know(target)
            ]
            values = [changes.get((target, field), before) for changes in known_to]
            if isinstance(target, PathConstraints):
                self._settle(target, field, joined_constraint(before, values))
            elif not all(self._is_view(target, field, value, before) for value in values):
                self._settle(target, field, values[0])
                for other in values[1:]:
                    self._join_field(target, field, other, agree)
                self._lose_forgotten(values, began)
                if widen:
                    self._settle(target, field, widen_value(before, target.fields.get(field, ABSENT)))

    def _merge_collections(
        self,
        keys: Iterable[tuple[Object, Field]],
        alternatives: Sequence[Changes],
        began: int,
        agree: Agree,
        *,
        widen: bool,
    ) -> set[Object]:
        """Joins collections whose length differs between branches, or is unknown in one; returns them."""
        merged: set[Object] = set()
        for target in {target for target, field in keys if field in FIELDS and _has_length(target)}:
            known_to = [
                {field: one.get((target, field), target.fields.get(field, ABSENT)) for field in FIELDS}
                for one in alternatives
                if target.allocation_id < began
                or one.may_know(target)
                or any((target, field) in one for field in FIELDS)
            ]
            states: list[dict[Field, Value]] = [
                {field: value for field, value in one.items() if value is not ABSENT} for one in known_to
            ]
            before = target.fields.get(SUMMARY)
            if isinstance(target, ModuleContainer):
                together = merge_layer_states(states, agree)
            else:
                together = merge_states(states, agree, of_dict=isinstance(target, DictValue))
            if together is None:
                continue
            merged.add(target)
            for field in FIELDS:
                self._settle(target, field, together.get(field, ABSENT))
            if widen and SUMMARY in together:
                self._settle(target, SUMMARY, widen_value(before, together[SUMMARY]))
        return merged

    def _is_view(self, target: Object, field: Field, value: Value, wide: Value) -> bool:
        """Whether a value is the wide one, or that one narrowed."""
        if value is wide:
            return True
        pairs = self._views.get((target, field))
        if pairs is None:
            return False
        found = [value]
        for close in found:  # grows while it is read
            for narrowed, held in pairs:
                if narrowed is close and not any(held is one for one in found):
                    found.append(held)
        return any(one is wide for one in found)

    def _settle(self, target: Object, field: Field, value: Value) -> None:
        if value is ABSENT:
            self.delete(target, field)
        elif target.fields.get(field, ABSENT) is not value:
            self.write(target, field, value)

    def _join_field(self, target: Object, field: Field, other: Value, agree: Agree) -> None:
        one = target.fields.get(field, ABSENT)
        if isinstance(target, Collection):
            self._join_items(target, field, one, other, agree)
        elif one is ABSENT and other is ABSENT:
            return
        elif isinstance(target, Instance) and not {type(one), type(other)}.isdisjoint(_MAY_BE_ABSENT):
            known = [present(value) for value in (one, other) if value is not ABSENT]
            self.write(target, field, MaybeAbsent(reduce(partial(join, agree=agree), known)))
        elif one is ABSENT or other is ABSENT:
            held = other if one is ABSENT else one  # what code does to it later is seen in other names of a collection
            is_kept = isinstance(held, Collection)
            self.write(target, field, held if is_kept else Unknown("a value set in only one branch"))
        else:
            self.write(target, field, join(one, other, agree))

    def _lose_forgotten(self, values: Sequence[Value], began: int) -> None:
        """Loses the collections made in a branch that a variable may hold, if it may also hold an unknown value.

        What is done to the variable later is not seen, but may change the collection, which other values may hold.
        """
        if any(isinstance(one, Unknown) for one in values):
            for one in values:
                if isinstance(one, Collection) and one.allocation_id >= began and not one.lost:
                    self.lose(one)

    def _join_items(self, target: Collection, field: Field, one: Value, other: Value, agree: Agree) -> None:
        if field == IS_TOP:
            self.lose(target)
        elif type(one) is tuple is type(other) and len(one) == len(other):
            self.write(target, field, join(one, other, agree))
        elif (
            isinstance(one, dict)
            and isinstance(other, dict)
            and (one.keys() == other.keys() or isinstance(target, DictValue))
        ):
            self.write(target, field, joined_items(one, other, agree))
        else:
            self.write(target, field, one)
            self.lose(target)


def _has_length(target: Object) -> bool:
    """Whether it is a collection whose length may differ between branches."""
    return type(target) in (ListValue, DictValue) or (
        isinstance(target, ModuleContainer) and target.kind == "ModuleList"
    )
