"""Summaries of cold calls: an unknown result, and whatever the code that a function reaches may write is unknown.

That code is what ran in earlier calls, and what the source names, for a later call may take another path.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Field, Value
from shapecheck.static.domain.alternatives import Alternatives, members_of
from shapecheck.static.domain.attribute_writes import written_from
from shapecheck.static.domain.class_facts import UNNAMED, is_module
from shapecheck.static.domain.function_writes import FunctionWrites
from shapecheck.static.domain.objects import (
    ClassValue,
    Collection,
    FunctionValue,
    Instance,
    ModuleContainer,
    Namespace,
    Object,
)
from shapecheck.static.domain.structure import children
from shapecheck.static.domain.values import Method
from shapecheck.static.engine.escape import havoc_passed
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import is_symbolic

_REACHING = (tuple, dict, Alternatives, Method, Instance, Collection)
_FOLLOWED = (*_REACHING, Namespace, ClassValue)
_MOST = 400
"""The number of values that are searched for objects."""


class Summary(NamedTuple):
    """A call that is not followed: its arguments, and the objects whose attributes it may write."""

    arguments: list[Value]
    objects: list[Object]


def summary_of(run: Run, function: FunctionValue, given: Value) -> Summary | None:
    """The summary of a call of a cold function; None if an argument is a tensor or a layer, or it reaches too much."""
    arguments = list(_arguments(given))
    if any(_is_warm(one) for value in arguments for one in members_of(value)):
        return None
    reach = run.cold.reach_of(function)
    if reach is None:
        return None
    used = [names.fields.get(name) for names, name in reach.variables]
    objects = _reached([*arguments, *used])
    return None if objects is None else Summary(arguments, objects)


def _arguments(given: Value) -> Iterator[Value]:
    """The arguments of a call, and the items of those that are tuples or dicts."""
    for one in children(given) if type(given) in (tuple, dict) else (given,):
        if type(one) in (tuple, dict):
            yield from children(one)
        else:
            yield one


def _is_warm(one: Value) -> bool:
    if isinstance(one, (TensorSpec, ModuleSpec, ModuleContainer)) or is_symbolic(one):
        return True
    return isinstance(one, Instance) and is_module(one.cls)


def _reached(given: list[Value]) -> list[Object] | None:
    """The objects with attributes among values and all that they reach, except modules; None if there are many."""
    found: list[Object] = []
    pending = deque(one for one in given if isinstance(one, _FOLLOWED))
    seen: set[int] = set()
    while pending:
        one = pending.popleft()
        if id(one) in seen:
            continue
        if len(seen) == _MOST:
            return None
        seen.add(id(one))
        if isinstance(one, (Namespace, ClassValue)) or (isinstance(one, Instance) and not is_module(one.cls)):
            found.append(one)
        if isinstance(one, _REACHING):
            pending += [each for each in children(one) if isinstance(each, _FOLLOWED)]
    return found


def summarize(run: Run, function: FunctionValue, summary: Summary) -> Value:
    """The result of a call that is summarized."""
    run.called.add(function.node)
    run.effects.epoch = run.cold.epoch
    havoc_passed(run, summary.arguments)
    for target, field in run.cold.changes_of(function.node):
        _havoc(run, target, field)
    reach, writes, ran = run.cold.reach_of(function), run.cold.writes_of(function), run.cold.writes_of_calls(function)
    for names, name in reach.variables if reach is not None else ():
        held = names.fields.get(name)
        if name in writes.filled and isinstance(held, Collection):
            run.journal.lose(held)
        if name in writes.rebound:
            _havoc(run, names, name)
    for value in summary.arguments:
        if isinstance(value, Instance):
            _havoc_new(run, value, ran)
    for one in summary.objects:
        _havoc_attributes(run, one, writes)
    return Unknown("a call that is not followed")


def _havoc_new(run: Run, receiver: Instance, writes: FunctionWrites) -> None:
    """Makes attributes unknown that an object does not have yet."""
    for name in sorted(writes.attributes - receiver.fields.keys()):
        run.journal.write(receiver, name, Unknown(f"attribute {name} that a call may have set"))
    if writes.is_open:
        run.journal.write(receiver, UNNAMED, True)


def _havoc_attributes(run: Run, one: Object, writes: FunctionWrites) -> None:
    written = writes.attributes
    if isinstance(one, Instance):
        written |= written_from(one.cls, writes.read)
    for name in [name for name in one.fields if name in written]:
        if not isinstance(one.fields[name], (FunctionValue, ClassValue)):
            _havoc(run, one, name)


def _havoc(run: Run, one: Object, field: Field) -> None:
    held = one.fields.get(field)
    for changed in (one, held):
        if isinstance(changed, Collection):
            run.journal.lose(changed)
    if not isinstance(one, Collection) and not isinstance(held, Unknown):
        run.journal.write(one, field, Unknown("what a call may have changed"))
