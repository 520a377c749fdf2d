"""Defaults of constructors that stand for kinds of layers, where the project itself builds the class with another."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from typing import Any

from shapecheck.static.functions import bind, defaults_of
from shapecheck.static.values import ClassValue, External, FunctionValue, Partial, Value

_KINDS = (ClassValue, FunctionValue, External, Partial)


def replaced_by(constructor: FunctionValue, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Iterator[ast.AST]:
    """The parameters that are given another kind of layer, or another function, than by default."""
    defaults = {name: one for name, one in defaults_of(constructor).items() if one is None or isinstance(one, _KINDS)}
    given = bind(constructor, (None, *args), dict(kwargs)) if defaults and (args or kwargs) else None
    for parameter in _parameters(constructor) if given else ():
        default, value = defaults.get(parameter.arg, parameter), (given or {}).get(parameter.arg)
        if default is not parameter and default != value and isinstance(value, _KINDS):
            yield parameter


def replaced_names(cls: ClassValue, seen: Container[ast.AST]) -> list[str]:
    """The names of the parameters of a class's constructor that are among these."""
    constructor = cls.fields.get("__init__")
    if not isinstance(constructor, FunctionValue):
        return []
    return [parameter.arg for parameter in _parameters(constructor) if parameter in seen]


def _parameters(function: FunctionValue) -> list[Any]:
    spec = function.node.args
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
