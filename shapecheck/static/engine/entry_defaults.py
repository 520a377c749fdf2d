"""The defaults that entry points use as arguments because no call passes any: each is one of many possible values."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import NamedTuple

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.objects import DictValue, FunctionValue
from shapecheck.static.domain.placeholders import is_placeholder
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.argument_binding import Parameter, unknown_dict
from shapecheck.static.engine.loading import SourceModule

_STABLE = (ExternalReference, ModuleSpec)
"""Layers and functions of libraries, `act=nn.GELU`: what replaces them has the same effect on shapes."""


class UsedDefault(NamedTuple):
    """A parameter whose default an entry point used, and the value of the default; without one, it is `**kwargs`."""

    loaded: SourceModule
    parameter: Parameter
    value: Value
    is_declared: bool = False
    """Whether the value has the number of items of a plain annotation, `tuple[int, int]`, which no call checks."""

    @property
    def text(self) -> str:
        """What the entry point was called with."""
        node, default = self.parameter.node, self.parameter.default
        if default is None:
            return f"without arguments for **{node.arg}"
        return f"with the default {ast.unparse(ast.arguments([], [node], None, [], [], None, [default]))}"

    def is_placeholder(self, code: str) -> bool:
        """Whether callers are expected to replace it: None, an empty collection or string, zero or a negative number.

        Those of a function with `**kwargs` are expected to pass the arguments that are missing in a call. A body that
        contradicts the number of items of a plain annotation shows how many there are.
        """
        if self.is_declared:
            return True
        if self.parameter.default is None:
            return code == "wrong-call"
        return self.value is None or is_placeholder(self.value)


@dataclass(eq=False, slots=True)
class EntryDefaults:
    """The defaults that an entry point has used so far; those of the `opened` parameters are replaced by unknowns."""

    opened: frozenset[ast.arg] = frozenset()
    used: dict[ast.arg, UsedDefault] = field(default_factory=dict)

    def argument(self, function: FunctionValue, parameter: Parameter, default: Value) -> Value:
        """The argument for a parameter that no call sets: its default, or an unknown value of the same type."""
        if isinstance(default, _STABLE):
            return default
        self.used[parameter.node] = UsedDefault(function.closure.loaded, parameter, default)
        return of_same_type(parameter.name, default) if parameter.node in self.opened else default

    def declared(self, function: FunctionValue, parameter: Parameter, value: Value, opened: Value) -> Value:
        """The argument for a parameter with a plain annotation: its number of items, or any number of them."""
        self.used[parameter.node] = UsedDefault(function.closure.loaded, parameter, value, is_declared=True)
        return opened if parameter.node in self.opened else value

    def keywords(self, function: FunctionValue, node: ast.arg) -> Value:
        """The value of the `**kwargs` of a function that passes them on: none, or unknown ones."""
        parameter = Parameter(node, None, by_position=False, by_name=False)
        self.used[node] = UsedDefault(function.closure.loaded, parameter, None)
        return unknown_dict() if node in self.opened else DictValue()


def of_same_type(name: str, default: Value) -> Value:
    """What a caller may pass instead of a default: another size, another number, anything."""
    if type(default) is int and default > 0:
        return unknown(name)
    return UnknownFloat() if isinstance(default, float) else Unknown(f"argument {name}")
