"""Summaries of cold calls: an unknown result, and what the function and those that it calls may write is unknown."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Field, Value
from shapecheck.static.domain.alternatives import Alternatives, members_of
from shapecheck.static.domain.attribute_writes import rebound_by
from shapecheck.static.domain.class_facts import UNNAMED, is_module
from shapecheck.static.domain.function_writes import FunctionWrites
from shapecheck.static.domain.objects import (
    ClassValue,
    Collection,
    FunctionValue,
    Instance,
    ModuleContainer,
    Object,
)
from shapecheck.static.domain.structure import children
from shapecheck.static.domain.values import Method, OpaqueInstance
from shapecheck.static.engine.closures import holder
from shapecheck.static.engine.escape import havoc_escaped
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import is_symbolic

_REACHING = (tuple, dict, Alternatives, Method, Instance, Collection)
_MOST = 400


def is_summarized(run: Run, function: FunctionValue | ClassValue, given: Value) -> bool:
    """Whether a call is summarized: the function is cold, and no argument is a tensor, a layer or a module."""
    if function.node not in run.cold.cold or function.node in run.analyzed:
        return False
    return not any(_is_warm(one) for value in _arguments(given) for one in members_of(value))


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


def summarize(run: Run, function: FunctionValue | ClassValue, given: Value) -> Value:
    """The result of a call that is summarized."""
    run.called.add(function.node)
    run.effects.epoch = run.cold.epoch
    writes = run.cold.writes_of(function.node)
    arguments = list(_arguments(given))
    havoc_escaped(run, arguments)
    for target, field in run.cold.changes_of(function.node):
        _havoc_field(run, target, field)
    for name in writes.names:
        _havoc_name(run, function, name)
    for one in arguments:
        if isinstance(one, Instance):
            _havoc_new(run, one, writes)
    for one in _reached(arguments):
        _havoc_fields(run, one, writes)
    return OpaqueInstance(function) if isinstance(function, ClassValue) else Unknown("a call that is not followed")


def _havoc_name(run: Run, function: FunctionValue | ClassValue, name: str) -> None:
    names = holder(function.closure, name)
    held = None if names is None else names.fields[name]
    if isinstance(held, Collection):
        run.journal.lose(held)
    if names is not None and name in rebound_by(function.node):
        run.journal.write(names, name, Unknown(f"a variable {name} that may have changed"))


def _havoc_new(run: Run, receiver: Instance, writes: FunctionWrites) -> None:
    """Makes attributes unknown that an object does not have yet."""
    for name in sorted(writes.attributes - receiver.fields.keys()):
        run.journal.write(receiver, name, Unknown(f"attribute {name} that a call may have set"))
    if writes.is_open:
        run.journal.write(receiver, UNNAMED, True)


def _havoc_fields(run: Run, one: Object, writes: FunctionWrites) -> None:
    for name in [name for name in one.fields if name in writes.attributes]:
        _havoc_field(run, one, name)


def _havoc_field(run: Run, one: Object, field: Field) -> None:
    held = one.fields.get(field)
    for changed in (one, held):
        if isinstance(changed, Collection):
            run.journal.lose(changed)
    if not isinstance(one, Collection) and not isinstance(held, Unknown):
        run.journal.write(one, field, Unknown(f"{field}, which may have changed"))


def _reached(given: list[Value]) -> Iterator[Instance]:
    """The objects among the arguments and all that they reach, except modules."""
    pending = deque(given)
    seen: set[int] = set()
    while pending and len(seen) < _MOST:
        one = pending.popleft()
        if id(one) not in seen and isinstance(one, _REACHING):
            seen.add(id(one))
            if isinstance(one, Instance) and not is_module(one.cls):
                yield one
            pending += children(one)
