"""Overridden defaults: those of constructors that the project always calls with other values."""

from __future__ import annotations

import ast
from collections.abc import Collection, Hashable, Iterator, Mapping

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.join import same_value
from shapecheck.static.domain.objects import ClassValue, DictValue, FunctionValue, ListValue
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.argument_binding import bind, defaults_of, parameters_of
from shapecheck.static.engine.entry_defaults import DefaultsOfCall

_PLAIN = (bool, int, float, str, type(None), ClassValue, FunctionValue, ExternalReference)


def overriding_arguments(
    constructor: FunctionValue, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> Iterator[Hashable]:
    """Yields the overridden parameters, each with its argument, and the default expressions that are used.

    The latter also together, since a call that uses one of them may override another one.
    """
    defaults = defaults_of(constructor)
    given = bind(constructor, (None, *args), dict(kwargs)) if defaults else None
    if not given:
        return
    defaulted, used = _defaulted(constructor), []
    for parameter, written in defaulted:
        value, default = given.get(parameter.arg), defaults[parameter.arg]
        if value is default or same_value(value, default):
            used.append(written)
        elif isinstance(value, _PLAIN):
            yield parameter, value
        elif not isinstance(value, Unknown):
            yield parameter, ...
    yield from used
    yield DefaultsOfCall(constructor.node, frozenset(used))


def overridden_defaults(cls: ClassValue, seen: Collection[Hashable]) -> dict[str, Value]:
    """The parameters of a class's constructor whose defaults are never used, each with the argument it always gets.

    Includes parameters with an empty collection as default that no call overrides: they are unknown, because the
    default is a placeholder.
    """
    constructor = cls.fields.get("__init__")
    if not isinstance(constructor, FunctionValue):
        return {}
    unused = {parameter for parameter, written in _defaulted(constructor) if written not in seen}
    defaults = defaults_of(constructor)
    values: dict[ast.arg, list[Value]] = {one: [] for one in unused if _is_empty(defaults[one.arg])}
    for one in seen:
        if isinstance(one, tuple) and one[0] in unused:
            values.setdefault(one[0], []).append(one[1])
    return {one.arg: _only(one.arg, given, defaults[one.arg]) for one, given in values.items()}


def _is_empty(value: Value) -> bool:
    """Whether it is a collection that is known to be empty."""
    if isinstance(value, (ListValue, DictValue)):
        return not value.items and not value.lost
    return value == () if isinstance(value, tuple) else False


def _only(name: str, given: list[Value], default: Value) -> Value:
    """The only argument; of several ones, an unknown value, which is one size in place of a number."""
    if len(given) == 1 and isinstance(given[0], _PLAIN):
        return given[0]
    return SymbolicArgument(name) if type(default) is int else Unknown(f"argument {name}")


def _defaulted(function: FunctionValue) -> list[tuple[ast.arg, ast.expr]]:
    """The parameters with a default, each with the expression of the default."""
    parameters = parameters_of(function.node.args)
    return [(one.node, one.default) for one in parameters if one.default is not None]
