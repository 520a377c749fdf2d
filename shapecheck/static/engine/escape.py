"""Escape: values passed to an unknown function may be changed by it, now or later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.spec.presentation import value_text
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.attribute_writes import (
    rebound_by,
    writes_of,
    writes_of_methods,
    written_by_methods,
    written_from,
)
from shapecheck.static.domain.given_methods import writes_when_called_back
from shapecheck.static.domain.objects import (
    ESCAPED,
    ITEMS,
    ClassValue,
    Collection,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    Namespace,
    SetValue,
)
from shapecheck.static.domain.placeholders import has_no_elements
from shapecheck.static.domain.plain_values import is_plain
from shapecheck.static.domain.structure import reached
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.unknown_options import UnknownOption
from shapecheck.static.domain.values import BuiltinMethod, Method, Partial
from shapecheck.static.engine.active_calls import running_among
from shapecheck.static.engine.closures import mutable_in_closure
from shapecheck.static.engine.run import Run

_MUTABLE = (ListValue, DictValue, SetValue)
_HOLDING = (tuple, ListValue, DictValue, Partial)
"""The kinds of values through which a function escapes."""
_FILLABLE = (Collection, int, TensorSpec)
"""The kinds of values that code may fill in."""
_DEEPEST = 4


def havoc_escaped(run: Run, values: Iterable[Value]) -> None:
    """Havocs what unknown code may change through its arguments, also by calling methods of objects among them."""
    for one, held in _held_by(run, values):
        _havoc(run, held, is_argument=held is one)
        if isinstance(held, Instance):
            havoc_own(run, held)


def havoc_passed(run: Run, values: Iterable[Value]) -> None:
    """Havocs what code may change through its arguments that is known to call no method of objects among them."""
    for one, held in _held_by(run, values):
        _havoc(run, held, is_argument=held is one)


def havoc_stored(run: Run, values: Iterable[Value]) -> None:
    """Havocs values that are stored where unknown code finds them: from now on, it may call their methods."""
    given = tuple(values)
    havoc_escaped(run, given)
    for _, held in _held_by(run, given):
        if isinstance(held, Instance):
            run.journal.write(held, ESCAPED, True)


def _held_by(run: Run, values: Iterable[Value]) -> Iterator[tuple[Value, Value]]:
    """Each alternative of the values, with each value that it holds."""
    for given in values:
        for one in members_of(given):
            if type(one) is SymbolicArgument and one.attributes:
                run.mark_uncacheable()
                one.attributes.clear()
            for held in reached(one, _HOLDING, _DEEPEST):
                yield one, held


def havoc_own(run: Run, held: Instance) -> None:
    """Havocs the attributes that the methods of an object write."""
    _havoc_fields(run, held, written_by_methods(held.cls).written)


def havoc_called_back(run: Run, held: Instance) -> None:
    """Havocs what unknown code may change that an object calls: it may call the methods that the class gives away.

    What only the running method writes is known. An empty tensor is filled whatever other code is known to do.
    """
    given = [(name, one & held.fields.keys()) for name, one in writes_when_called_back(held.cls)]
    empty = {name for name in written_by_methods(held.cls).written if has_no_elements(held.fields.get(name))}
    filling = [(name, one & empty) for name, one in writes_of_methods(held.cls)] if empty else []
    writing = [one for one in (*given, *filling) if one[1]]
    if writing:
        running = running_among(run, {name for name, _ in writing})
        _havoc_fields(run, held, frozenset[str]().union(*(one for name, one in writing if name not in running)))


def havoc_written(run: Run, held: Instance, name: str) -> None:
    """Havocs an attribute that was written to an escaped object, if other code may change it again."""
    if held.fields[ESCAPED] is not False and name in written_by_methods(held.cls).written:
        _havoc_fields(run, held, frozenset((name,)))
    elif isinstance(one := held.fields[name], Collection):
        _lose_if_empty(run, one)


def _havoc(run: Run, held: Value, *, is_argument: bool) -> None:
    if isinstance(held, _MUTABLE):
        if is_argument or run.mark is None or held.allocation_id >= run.mark:
            run.journal.lose(held)
    elif isinstance(held, BuiltinMethod) and isinstance(held.receiver, _MUTABLE):
        run.journal.lose(held.receiver)
    elif isinstance(held, (FunctionValue, Method)):
        _havoc_captured(run, held)
    elif isinstance(held, ClassValue):
        _havoc_class(run, held)
    elif isinstance(held, (Instance, ModuleContainer)):
        _havoc_empty(run, held)
        if isinstance(held, Instance):
            _havoc_class(run, held.cls)


def _havoc_empty(run: Run, given: Instance | ModuleContainer) -> None:
    """Havocs empty collections and tensors and negative sizes of an object that code receives: it may fill them in."""
    if isinstance(given, ModuleContainer):
        _lose_if_empty(run, given)
        return
    for name, one in [pair for pair in given.fields.items() if isinstance(pair[1], _FILLABLE)]:
        if isinstance(one, Collection):
            if _lose_if_empty(run, one) and ESCAPED not in given.fields:
                run.journal.write(given, ESCAPED, False)
        elif (isinstance(one, int) and one < 0) or has_no_elements(one):
            run.journal.write(given, name, Unknown(f"attribute {value_text(name)} that may have been filled in"))


def _lose_if_empty(run: Run, given: Collection) -> bool:
    """Havocs a collection if it is empty; returns whether it was."""
    if given.lost or given.fields[ITEMS]:
        return False
    run.journal.lose(given)
    return True


def _havoc_class(run: Run, cls: ClassValue) -> None:
    """Havocs what the methods of a class capture: unknown code may create an instance and call them."""
    for one in cls.mro():
        if one.has_hidden_state:
            for held in mutable_in_closure(one, _MUTABLE):
                run.journal.lose(held)


def _havoc_captured(run: Run, given: FunctionValue | Method) -> None:
    function = given.function if isinstance(given, Method) else given
    for held in mutable_in_closure(function, _MUTABLE):
        run.journal.lose(held)
    _havoc_rebound(run, function)
    writes = writes_of(function.node)
    if isinstance(given, Method) and isinstance(given.receiver, Instance):
        _havoc_fields(run, given.receiver, writes.written | written_from(given.receiver.cls, writes.read))
    elif isinstance(given, FunctionValue):
        for one in list(mutable_in_closure(function, (Instance,))):
            _havoc_fields(run, one, writes.written | written_from(one.cls, writes.read))


def _havoc_rebound(run: Run, function: FunctionValue) -> None:
    """Havocs the variables of enclosing functions that a function declares `nonlocal` or `global`."""
    for name in rebound_by(function.node):
        names: Namespace | None = function.closure
        while names is not None and name not in names.fields:
            names = names.parent
        if names is not None and names.parent is not None:
            run.journal.write(names, name, Unknown(f"a variable {name} that may have changed"))


def _havoc_fields(run: Run, receiver: Instance, changed: frozenset[str]) -> None:
    for name in changed & receiver.fields.keys():
        held = receiver.fields[name]
        if isinstance(held, _MUTABLE):
            run.journal.lose(held)
        elif is_plain(held):
            run.journal.write(receiver, name, UnknownOption(f"attribute {name} that may have changed"))
