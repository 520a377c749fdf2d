"""A layer is a value without identity: what changes it in place changes each variable, field and item that holds it."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.objects import Instance, ListValue, ModuleContainer, Namespace, Object
from shapecheck.static.domain.structure import children
from shapecheck.static.engine.run import Run

_HOLDING = (Instance, ListValue, ModuleContainer, Namespace)
_MOST = 2000
"""The number of values that are looked at: what is reached later keeps its layers."""


def havoc_layer(run: Run, layer: ModuleSpec) -> None:
    """Makes a layer unknown in the variables of all active calls, and in all that they reach."""
    for one in list(_holders(run)):
        for name, value in list(one.fields.items()):
            changed = _without(value, layer)
            if changed is not value:
                run.journal.write(one, name, changed)


def _holders(run: Run) -> Iterator[Object]:
    """The objects that the running code and its callers reach."""
    pending: list[Value] = []
    for frame in run.outward():
        names: Namespace | None = frame.scope
        while names is not None:
            pending.append(names)
            names = names.parent
    seen: set[int] = set()
    while pending and len(seen) < _MOST:
        one = pending.pop()
        if id(one) in seen or not isinstance(one, (*_HOLDING, Alternatives, tuple, dict)):
            continue
        seen.add(id(one))
        if isinstance(one, Object):
            yield one
            pending += [held for held in one.fields.values() if not isinstance(held, Namespace)]
        else:
            pending += children(one)


def _without(value: Value, layer: ModuleSpec) -> Value:
    """The value with the layer replaced by an unknown value."""
    if value is layer or (isinstance(value, Alternatives) and any(one is layer for one in value.members)):
        return Unknown("a layer that was changed in place")
    if type(value) is tuple:
        parts = tuple(_without(one, layer) for one in value)
        return value if all(map(_is, parts, value)) else parts
    if type(value) is dict:
        changed = {key: _without(one, layer) for key, one in value.items()}
        return value if all(map(_is, changed.values(), value.values())) else changed
    return value


def _is(one: Value, other: Value) -> bool:
    return one is other
