"""A value for a required parameter of a constructor or factory."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any

from torch import nn

from shapecheck.harness.cases.assumed.configuration import assumed_configuration
from shapecheck.harness.cases.assumed.hints import NoValueError, value_of
from shapecheck.harness.cases.assumed.names import names_number, number
from shapecheck.harness.cases.assumed.parts import class_for
from shapecheck.harness.cases.assumed.usage import usage_of

_DEEPEST = 4
"""Modules within modules that are assumed."""
_REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def assumed_argument(target: Any, name: str, hint: Any, width: int, depth: int = 0) -> Any:
    """A value for the parameter of a target. Raises NoValueError, or what a constructor of the program raises."""
    if hint in (None, Any):
        return _unannotated(target, name, width, depth)
    return value_of(hint, name, width, lambda kind: _instance(kind, target, name, width, depth))


def _unannotated(target: Any, name: str, width: int, depth: int) -> Any:
    usage = usage_of(target, name)
    part = None if names_number(name) else class_for(name, target)
    if usage.is_called:
        return part or nn.Identity
    if part is not None:
        return _made(part, width, depth)
    if usage.attributes:
        return assumed_configuration(target, name, width) or width
    value = number(name, width)
    return (value,) * usage.items if usage.items else value


def _instance(kind: Any, target: Any, name: str, width: int, depth: int) -> Any:
    """An instance of a class of the program or of a layer. Other classes have no value."""
    if kind is nn.Module:
        part = class_for(name, target)
        return nn.Identity() if part is None else _made(part, width, depth)
    if not isinstance(kind, type) or isinstance(kind, types.GenericAlias) or not _is_of_program(kind, target):
        raise NoValueError
    return _made(kind, width, depth)


def _is_of_program(kind: type, target: Any) -> bool:
    """Whether a class is a module, a dataclass, or of the package of the target: not a path, an array or a tensor."""
    own, other = (one.__module__.partition(".")[0] for one in (target, kind))
    return issubclass(kind, nn.Module) or is_dataclass(kind) or own == other


def _made(kind: type, width: int, depth: int) -> Any:
    if depth == _DEEPEST or inspect.isabstract(kind):
        raise NoValueError
    hints = hints_of(kind)
    try:
        parameters = list(required(kind))
    except ValueError:  # a class of C
        raise NoValueError from None
    names = [one.name for one in parameters]
    return kind(**{one: assumed_argument(kind, one, hints.get(one), width, depth + 1) for one in names})


def required(target: Any) -> Iterator[inspect.Parameter]:
    """The parameters without defaults. Raises ValueError if the target has no signature."""
    for parameter in inspect.signature(target).parameters.values():
        if parameter.default is parameter.empty and parameter.kind not in _REST:
            yield parameter


def hints_of(target: Any) -> Mapping[str, Any]:
    """The annotations of the parameters; none if they cannot be evaluated."""
    function: Any = target
    if isinstance(target, type) and isinstance(vars(target).get("__init__"), types.FunctionType):
        function = vars(target)["__init__"]
    elif isinstance(target, type) and issubclass(target, nn.Module):
        function = target.__init__
    try:
        return typing.get_type_hints(inspect.unwrap(function))
    except Exception:  # an annotation can be any expression
        return {}
