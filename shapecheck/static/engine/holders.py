"""Layers and tensors are values without identity: a change in place affects each variable, field and item with one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Field, Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.objects import DictValue, Instance, ListValue, ModuleContainer, Namespace, Object
from shapecheck.static.domain.structure import children
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run

_OBJECTS = (Instance, ListValue, DictValue, ModuleContainer, Namespace)
_REACHING = (*_OBJECTS, Alternatives, tuple, dict)
_HELD = tuple(one for one in _REACHING if one is not Namespace)
"""The kinds of fields that lead to objects, except to other modules."""
_MOST = 10_000
"""The number of values that are looked at: what is farther from the running code keeps its value."""

_Changed = ModuleSpec | TensorSpec


def havoc_holders(run: Run, value: _Changed, but: tuple[Object, Field] | None = None) -> None:
    """Makes a layer or tensor unknown in the variables of all active calls, and in all that they reach, but in one."""
    for one in list(in_reach(run)):
        for name, held in list(one.fields.items()):
            changed = _without(held, value)
            if changed is not held and (but is None or one is not but[0] or name != but[1]):
                run.journal.write(one, name, changed)


def in_reach(run: Run) -> Iterator[Object]:
    """The objects that the running code and its callers reach, the nearest first."""
    return reached_by(run.outward())


def reached_by(frames: Iterable[Frame]) -> Iterator[Object]:
    """The objects that these active calls reach."""
    start: list[Value] = []
    for frame in frames:
        names: Namespace | None = frame.scope
        while names is not None:
            start.append(names)
            names = names.parent
    return reached_from(start)


def reached_from(start: Iterable[Value]) -> Iterator[Object]:
    """The objects among these values and all that they reach, the nearest first."""
    pending = deque(start)
    seen: set[int] = set()
    while pending and len(seen) < _MOST:
        one = pending.popleft()
        if id(one) in seen or not isinstance(one, _REACHING):
            continue
        seen.add(id(one))
        if isinstance(one, Object):
            yield one
            pending += [held for held in one.fields.values() if isinstance(held, _HELD)]
        else:
            pending += children(one)


def _without(held: Value, value: _Changed) -> Value:
    """The held value with the changed one replaced by an unknown value; a layer with a changed parameter is unknown."""
    if held is value or _has_part(held, value):
        return Unknown("a value that was changed in place")
    if type(held) is tuple:
        parts = tuple(_without(one, value) for one in held)
        return held if all(map(_is, parts, held)) else parts
    if type(held) is dict:
        changed = {key: _without(one, value) for key, one in held.items()}
        return held if all(map(_is, changed.values(), held.values())) else changed
    return held


def _has_part(held: Value, value: _Changed) -> bool:
    if isinstance(held, Alternatives):
        return any(one is value for one in held.members)
    return isinstance(held, ModuleSpec) and any(one is value for one in vars(held).values())


def _is(one: Value, other: Value) -> bool:
    return one is other
