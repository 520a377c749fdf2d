"""The results of calls, kept for calls of the same function with equal arguments.

A result is kept if the effects of the call (`effects`) say that it could not have gone another way: it reported
nothing, changed nothing older than itself, and read nothing but its arguments, the path constraints and what the
project's modules hold. It is copied for each later call, so that two calls never share an object.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from copy import copy
from typing import TYPE_CHECKING, Any

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.spec import Dim, DType, TensorSpec
from shapecheck.static.domain.alternatives import Alternatives, Perhaps
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.distributions import DistributionSpec
from shapecheck.static.domain.fractions import Fractional
from shapecheck.static.domain.values import (
    ClassValue,
    Container,
    DictValue,
    External,
    Fields,
    FunctionValue,
    Instance,
    ListValue,
    Member,
    Method,
    Namespace,
    Object,
    Partial,
    SetValue,
    Value,
)
from shapecheck.static.engine.argument_keys import has_learnable, has_metadata
from shapecheck.static.engine.effects import recording
from shapecheck.static.engine.symbolic_inputs import Given

if TYPE_CHECKING:
    from shapecheck.static.engine.effects import CallEffects
    from shapecheck.static.engine.run import Run

_LARGEST = 1000
"""How many values a call's arguments may consist of."""
_MOST = 10_000
"""How many calls are kept of those that were made or asked for last, and once more of those before them."""
_NUMBERS = frozenset((bool, int, float, complex))
"""Of several kinds, and yet equal."""
_ITSELF = frozenset(
    (str, bytes, type(None), Dim, TensorSpec, DType, External, Other, range, type(...), DistributionSpec, ArraySpec)
)


class _TooMuch(Exception):
    """A value is too large to be compared, or of a kind that cannot be copied."""


class Kept:
    """The result of a call, the older objects among its arguments, and what must hold where it is used again."""

    __slots__ = ("arguments", "called", "cost", "height", "nesting", "reads_inputs", "result")

    def __init__(self, result: Value, arguments: list[Object], effects: CallEffects) -> None:
        self.result = result
        self.arguments = arguments
        self.called: frozenset[Hashable] = frozenset(effects.called)
        self.cost = effects.cost()
        self.height = effects.height
        self.nesting = effects.nesting
        self.reads_inputs = effects.reads_inputs


class Memo:
    """The calls that are kept, by function and arguments."""

    __slots__ = ("_kept", "_older")

    def __init__(self) -> None:
        self._kept: dict[Any, Kept] = {}
        self._older: dict[Any, Kept] = {}

    def call(
        self, run: Run, function: FunctionValue | ClassValue, given: Any, since: int, body: Callable[[], Value]
    ) -> Value:
        """The result of `body`, which is the call of `function` with the arguments `given`; perhaps without running it.

        What was made after `since` belongs to the call.
        """
        if not run.is_cacheable or function.closure.parent is not None:
            return body()
        try:
            found, met = _fingerprint(given)
        except _TooMuch:
            return body()
        key = (function.node, run.knowledge.facts, run.autocasting, run.inputs is None, *found)
        objects = [one for one in met if one.born < since]
        kept = self._found(key)
        if kept is not None and _applies(run, kept, given):
            run.replay(kept.called, kept.cost, kept.height, kept.nesting, reads_inputs=kept.reads_inputs)
            return _copied(kept.result, dict(zip(kept.arguments, objects, strict=True)), None)
        return self._run(run, key, objects, since, body)

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

    def _run(self, run: Run, key: Any, objects: list[Object], since: int, body: Callable[[], Value]) -> Value:
        with recording(run, since) as effects:
            result = body()
        if effects.is_pure and not has_metadata(run, result):
            try:
                pristine = _copied(result, {one: one for one in objects}, since)
            except _TooMuch:
                pass
            else:
                kept = Kept(pristine, objects, effects)
                self._keep(key, kept)
                run.memoized(kept.cost, effects.steps)
                return result
        run.effects.absorb_cost(effects)
        return result


def _applies(run: Run, kept: Kept, given: Any) -> bool:
    """Whether a call with equal arguments would go the same way here."""
    return (
        run.has_room_for(kept.called, kept.height, kept.nesting)
        and not has_metadata(run, given)
        and not (kept.reads_inputs and has_learnable(run, given))
    )


# -- equal arguments


def _fingerprint(value: Value) -> tuple[list[Any], dict[Object, int]]:
    """A flat key: equal for arguments that no call can tell apart; and the objects met, in order."""
    found: list[Any] = []
    objects: dict[Object, int] = {}
    _add(value, found, objects)
    return found, objects


def _add(value: Value, found: list[Any], objects: dict[Object, int]) -> None:
    kind = type(value)
    if kind in _ITSELF:
        found.append(value)
    elif kind in _NUMBERS:
        found += (kind, value)
    elif isinstance(value, Object) and kind not in (ClassValue, Namespace):
        _add_object(value, found, objects)
    elif isinstance(value, (FunctionValue, ClassValue)) and value.closure.parent is None:
        found.append(value)
    else:
        parts = _parts(value)
        found += (kind, len(parts))
        _add_all(parts, found, objects)


def _add_all(parts: Iterable[Value], found: list[Any], objects: dict[Object, int]) -> None:
    if len(found) > _LARGEST:
        raise _TooMuch
    for one in parts:
        if type(one) in _ITSELF:
            found.append(one)
        else:
            _add(one, found, objects)


def _parts(value: Value) -> tuple[Value, ...]:
    """What tells a value apart from others of its kind."""
    if type(value) is tuple:
        return value
    if isinstance(value, ModuleSpec):
        fields = vars(value)
        return (*fields, *fields.values())
    if isinstance(value, Unknown):
        return _hidden(value)
    if isinstance(value, dict):
        return (*value, *value.values())
    if isinstance(value, Partial):
        return value.function, value.args, value.kwargs
    if isinstance(value, Method):
        return value.function, value.receiver
    if isinstance(value, Member):
        return value.cls, value.name
    raise _TooMuch


def _hidden(value: Unknown) -> tuple[Value, ...]:
    """What is known of a value that is not known."""
    if isinstance(value, Alternatives):
        return value.members
    if isinstance(value, Perhaps):
        return (value.value,)
    if isinstance(value, Fractional):
        return value.above, value.below
    return (value.name,) if isinstance(value, Given) else ()


def _add_object(value: Object, found: list[Any], objects: dict[Object, int]) -> None:
    if value in objects:
        found += (type(value), objects[value])
        return
    objects[value] = len(objects)
    found += (type(value), value.cls if isinstance(value, Instance) else None, len(value.fields), *value.fields)
    _add_all(value.fields.values(), found, objects)


# -- copies


def _copied(value: Value, copies: dict[Object, Object], since: int | None) -> Value:
    """A value with objects of its own, but for those that `copies` maps.

    With `since`, _TooMuch for an object that is older and not mapped, or of a kind that has no copies.
    """
    kind = type(value)
    made_of = _MADE_OF.get(kind)
    if made_of is not None:
        return made_of(value, lambda one: _copied(one, copies, since))
    if kind in _ITSELF or kind in _NUMBERS or isinstance(value, (Unknown, Member)):
        return value
    if isinstance(value, Object) and kind is not ClassValue:
        return _copied_object(value, copies, since)
    if isinstance(value, ModuleSpec):
        return copy(value)
    if isinstance(value, (FunctionValue, ClassValue)) and value.closure.parent is None:
        return value
    raise _TooMuch


_MADE_OF: dict[type, Callable[[Any, Callable[[Value], Value]], Value]] = {
    Alternatives: lambda value, copied: Alternatives(tuple(map(copied, value.members))),
    Perhaps: lambda value, copied: Perhaps(copied(value.value)),
    tuple: lambda value, copied: tuple(map(copied, value)),
    dict: lambda value, copied: {name: copied(one) for name, one in value.items()},
    Partial: lambda value, copied: Partial(*map(copied, (value.function, value.args, value.kwargs))),
    Method: lambda value, copied: Method(value.function, copied(value.receiver)),
}
"""How a value of which the parts are copied is put together again."""


def _copied_object(value: Object, copies: dict[Object, Object], since: int | None) -> Object:
    known = copies.get(value)
    if known is not None:
        return known
    if type(value) not in _COPIED or (since is not None and value.born < since):
        raise _TooMuch
    copies[value] = made = value.bare()
    made.fields = {name: _copied(one, copies, since) for name, one in value.fields.items()}
    return made


_COPIED = (Instance, ListValue, DictValue, SetValue, Container, Fields)
