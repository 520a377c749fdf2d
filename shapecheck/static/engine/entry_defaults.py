"""The defaults that are used because nothing passes arguments or options: each is one of many possible values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import Dim, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.handled_none import handled_none
from shapecheck.static.domain.objects import DictValue, FunctionValue
from shapecheck.static.domain.placeholders import is_placeholder
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.argument_binding import Parameter, unknown_dict
from shapecheck.static.engine.places import Place

_STABLE = (ExternalReference, ModuleSpec)
"""Layers and functions of libraries, `act=nn.GELU`: what replaces them has the same effect on shapes."""


class UsedDefault(NamedTuple):
    """A parameter or an option of the command line whose default was used; of `**kwargs`, that there were none."""

    place: Place
    name: str
    default: ast.expr | None
    value: Value
    is_declared: bool = False
    """Whether the value has the number of items of a plain annotation, `tuple[int, int]`, which no call checks."""

    is_handled: bool = False
    """Whether it is None, and the function tests for that."""

    owner: ast.AST | None = None
    """The function that has the parameter."""

    @property
    def node(self) -> ast.AST:
        """The parameter, or the call that adds the option."""
        return self.place.node

    @property
    def is_option(self) -> bool:
        """Whether it is an option of the command line."""
        return isinstance(self.place.node, ast.Call)

    @property
    def text(self) -> str:
        """What the entry point was called with."""
        node = self.place.node
        if self.default is None:
            return f"without arguments for **{self.name}"
        if not isinstance(node, ast.arg):
            return f"with the default {self.name}={_abbreviated(self.default)}"
        annotation = "" if node.annotation is None else _abbreviated(node.annotation)
        return f"with the default {self.name}{': ' if annotation else ''}{annotation}={_abbreviated(self.default)}"

    @property
    def is_stable(self) -> bool:
        """Whether what replaces it has the same effect on shapes: a layer or a function of a library."""
        return isinstance(self.value, _STABLE)

    def is_placeholder(self, code: str) -> bool:
        """Whether callers are expected to replace it: None, an empty collection or string, zero or a negative number.

        Those of a function with `**kwargs` are expected to pass the arguments that are missing in a call. An assert
        about an option checks what the user passes. A body that contradicts the number of items of a plain annotation
        shows how many there are. None is a value like others if the function tests for it.
        """
        if self.is_declared:
            return True
        if self.default is None or self.is_handled:
            return (code == "wrong-call") != self.is_handled
        return self.value is None or is_placeholder(self.value) or (self.is_option and code == "false-assert")


class DefaultsOfCall(NamedTuple):
    """The defaults of a constructor that one call of the project uses."""

    constructor: ast.AST
    used: frozenset[ast.expr]


_LONGEST = 60


def _abbreviated(node: ast.expr) -> str:
    """The text of an expression; the later part of a long one is left out."""
    text = ast.unparse(node)
    if len(text) <= _LONGEST:
        return text
    end = text[-1] if text[-1] in "}])" else ""
    kept = text[: _LONGEST - len(f"...{end}")]
    return f"{kept.rpartition(', ')[0] + ', ' if end and ', ' in kept else kept}...{end}"


@dataclass(eq=False, slots=True)
class EntryDefaults:
    """The defaults that an entry point has used so far; those of the `opened` parameters are replaced by unknowns."""

    opened: frozenset[ast.AST] = frozenset()
    used: dict[ast.AST, UsedDefault] = field(default_factory=dict)
    replaced: Mapping[ast.arg, Value] = field(default_factory=dict)
    """The arguments of a variant for parameters of the entry point itself."""
    nested: Mapping[ast.arg, Value] = field(default_factory=dict)
    """The arguments of a variant for parameters of other constructors that a call leaves out."""
    in_rows: bool = False
    """Whether inputs of which only the last size is known are 2-D."""
    resized: Callable[[Mapping[str, Value]], Mapping[str, Value]] | None = None
    """The arguments of a function that is analyzed in isolation with other sizes, once what it requires is known."""

    @property
    def is_variant(self) -> bool:
        """Whether it has arguments in place of defaults."""
        return bool(self.replaced or self.nested or self.resized)

    def argument(self, function: FunctionValue, parameter: Parameter, default: Value) -> Value:
        """The argument for a parameter that no call sets: its default, or an unknown value of the same type."""
        place = Place(function.closure.loaded, parameter.node)
        is_handled = default is None and parameter.name in handled_none(function.node)
        return self._chosen(
            UsedDefault(place, parameter.name, parameter.default, default, is_handled=is_handled, owner=function.node)
        )

    def option(self, place: Place, name: str, default: ast.expr | None, value: Value) -> Value:
        """The value of an option of the command line: its default, or an unknown value of the same type."""
        return value if default is None else self._chosen(UsedDefault(place, name, default, value))

    def _chosen(self, one: UsedDefault) -> Value:
        self.used[one.node] = one
        if one.node not in self.opened:
            return one.value
        name = one.name.lstrip("-")
        return self.size(name, of_same_type(name, one.value))

    def size(self, name: str, value: Value) -> Value:
        """An argument of an entry point; in a variant, an unknown size is at least 1."""
        return self.known_size(name, value) if isinstance(value, Dim) else value

    def known_size(self, name: str, size: Dim) -> Dim:
        """The size that an argument of an entry point is; in a variant, it is at least 1."""
        return unknown(name, 1) if self.is_variant else size

    def replacing(self, parameters: Iterable[Parameter]) -> dict[str, Value]:
        """The arguments of the variant for these parameters of the entry point."""
        return _given_to(parameters, self.replaced)

    def completing(self, parameters: Iterable[Parameter]) -> dict[str, Value]:
        """The arguments of the variant for these parameters, which a call of a constructor leaves out."""
        return _given_to(parameters, self.nested)

    def declared(self, function: FunctionValue, parameter: Parameter, value: Value, opened: Value) -> Value:
        """The argument for a parameter with a plain annotation: its number of items, or any number of them."""
        place = Place(function.closure.loaded, parameter.node)
        self.used[parameter.node] = UsedDefault(place, parameter.name, parameter.default, value, is_declared=True)
        return opened if parameter.node in self.opened else value

    def keywords(self, function: FunctionValue, node: ast.arg) -> Value:
        """The value of the `**kwargs` of a function that passes them on: none, or unknown ones."""
        self.used[node] = UsedDefault(Place(function.closure.loaded, node), node.arg, None, None)
        return unknown_dict() if node in self.opened else DictValue()


def of_same_type(name: str, default: Value) -> Value:
    """What a caller may pass instead of a default: another size, another number, anything."""
    if type(default) is int and default > 0:
        return unknown(name)
    return UnknownFloat() if isinstance(default, float) else Unknown(f"argument {name}")


def _given_to(parameters: Iterable[Parameter], values: Mapping[ast.arg, Value]) -> dict[str, Value]:
    return {one.name: values[one.node] for one in parameters if one.node in values} if values else {}
