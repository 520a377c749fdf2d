"""Defaults of constructors, where the project itself always builds the class with other values."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.static.functions import bind, defaults_of
from shapecheck.static.join import same_value
from shapecheck.static.values import ClassValue, FunctionValue, Value


def given_to(constructor: FunctionValue, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Iterator[ast.AST]:
    """The parameters that are given another value than by default, and the defaults that are used as they are."""
    defaults = defaults_of(constructor)
    given = bind(constructor, (None, *args), dict(kwargs)) if defaults else None
    for parameter, written in _defaulted(constructor) if given else ():
        value = (given or {}).get(parameter.arg)
        if not isinstance(value, Unknown):
            default = defaults[parameter.arg]
            yield written if value is default or same_value(value, default) else parameter


def replaced_names(cls: ClassValue, seen: Container[ast.AST]) -> list[str]:
    """The names of the parameters of a class's constructor that are always given another value than by default."""
    constructor = cls.fields.get("__init__")
    if not isinstance(constructor, FunctionValue):
        return []
    found = _defaulted(constructor)
    return [parameter.arg for parameter, written in found if parameter in seen and written not in seen]


def _defaulted(function: FunctionValue) -> list[tuple[Any, ast.expr]]:
    """The parameters that have a default, and where it is written."""
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    found = list(zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True))
    return found + [(one, default) for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default]
