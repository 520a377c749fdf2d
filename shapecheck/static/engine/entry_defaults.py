"""The defaults that entry points use as arguments because no call passes any: each is one of many possible values."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import Dim, unknown
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

    @property
    def text(self) -> str:
        """What the entry point was called with."""
        node, default = self.parameter.node, self.parameter.default
        if default is None:
            return f"without arguments for **{node.arg}"
        return f"with the default {ast.unparse(ast.arguments([], [node], None, [], [], None, [default]))}"

    def is_placeholder(self, code: str) -> bool:
        """Whether callers are expected to replace it: None, an empty collection or string, zero or a negative number.

        Those of a function with `**kwargs` are expected to pass the arguments that are missing in a call.
        """
        if self.parameter.default is None:
            return code == "wrong-call"
        return self.value is None or is_placeholder(self.value)


@dataclass(eq=False, slots=True)
class EntryDefaults:
    """The defaults that an entry point has used so far; those of the `opened` parameters are replaced by unknowns."""

    opened: frozenset[ast.arg] = frozenset()
    used: dict[ast.arg, UsedDefault] = field(default_factory=dict)
    replaced: Mapping[ast.arg, Value] = field(default_factory=dict)
    """The arguments of a variant for parameters of the entry point itself."""
    nested: Mapping[ast.arg, Value] = field(default_factory=dict)
    """The arguments of a variant for parameters of other constructors that a call leaves out."""

    assumed: Mapping[ast.expr, bool] = field(default_factory=dict)
    """The outcomes of conditions that are unknown otherwise."""
    in_rows: bool = False
    """Whether inputs of which only the last size is known are 2-D."""

    @property
    def is_variant(self) -> bool:
        """Whether it has arguments in place of defaults."""
        return bool(self.replaced or self.nested)

    def argument(self, function: FunctionValue, parameter: Parameter, default: Value) -> Value:
        """The argument for a parameter that no call sets: its default, or an unknown value of the same type."""
        if isinstance(default, _STABLE):
            return default
        self.used[parameter.node] = UsedDefault(function.closure.loaded, parameter, default)
        if parameter.node not in self.opened:
            return default
        return self.size(parameter.name, of_same_type(parameter.name, default))

    def size(self, name: str, value: Value) -> Value:
        """An argument of an entry point; in a variant, an unknown size is at least 1."""
        return self.known_size(name, value) if isinstance(value, Dim) else value

    def known_size(self, name: str, size: Dim) -> Dim:
        """The size that an argument of an entry point is; in a variant, it is at least 1."""
        return unknown(name, 1) if self.is_variant else size

    def replacing(self, parameters: Iterable[Parameter]) -> dict[str, Value]:
        """The arguments of the variant for these parameters of the entry point."""
        return _chosen(self.replaced, parameters)

    def completing(self, parameters: Iterable[Parameter]) -> dict[str, Value]:
        """The arguments of the variant for these parameters, which a call of a constructor leaves out."""
        return _chosen(self.nested, parameters)

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


def _chosen(values: Mapping[ast.arg, Value], parameters: Iterable[Parameter]) -> dict[str, Value]:
    return {one.name: values[one.node] for one in parameters if one.node in values} if values else {}
