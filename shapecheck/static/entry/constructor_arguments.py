"""The arguments with which a class is built in isolation."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import base_layer
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.engine.argument_binding import UNKNOWN_KEYWORDS, defaults_of, parameters_of, positional_names
from shapecheck.static.engine.run import Run
from shapecheck.static.entry.isolation import symbolic_argument


def unknown_arguments(run: Run, cls: ClassValue, *, keeps_none: bool) -> dict[str, Value] | None:
    """A symbolic value for each argument that the constructor requires, None if it is that of a layer of torch.

    For a layer no sensible values can be chosen.
    """
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return {} if base_layer(cls) is None else None
    if not isinstance(constructor, FunctionValue):
        return {}
    receiver = positional_names(constructor.node.args)[:1]
    parameters = [one for one in parameters_of(constructor.node.args) if one.name not in receiver]
    found = {one.name: symbolic_argument(run, constructor, one.node) for one in parameters if one.default is None}
    defaults = {name: value for name, value in defaults_of(constructor).items() if name not in receiver}
    if found and not keeps_none:  # it is never built with defaults alone, so that a default of None may be overridden
        unset = [one.name for one in parameters if one.by_position and defaults.get(one.name, ...) is None]
        found |= {name: Unknown(f"argument {name}") for name in unset}
    if constructor.node.args.kwarg is not None:
        found = defaults | found
        found[UNKNOWN_KEYWORDS] = Unknown("unknown keyword arguments")
    return found


def symbolic_arguments(run: Run, cls: ClassValue) -> dict[str, Value]:
    """A symbolic value for each parameter of the constructor, whatever its default."""
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return {}
    if not isinstance(constructor, FunctionValue):
        return {}
    receiver = positional_names(constructor.node.args)[:1]
    parameters = [one for one in parameters_of(constructor.node.args) if one.name not in receiver]
    return {one.name: symbolic_argument(run, constructor, one.node) for one in parameters}
