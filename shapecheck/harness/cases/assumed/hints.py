"""Values by annotations."""

from __future__ import annotations

import collections.abc
import enum
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

from torch import nn

from shapecheck.harness.cases.assumed.names import PROBABILITY, integer


class NoValueError(Exception):
    """No value can be assumed for a parameter."""


Maker = Callable[[Any], Any]
"""Makes an instance of a class of the program. Raises NoValueError."""
_SEQUENCES = (list, tuple, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
_NUMBERS = (bool, int, float)


def value_of(hint: Any, name: str, width: int, make: Maker) -> Any:
    """A value of an annotation. Raises NoValueError, or what a constructor of the program raises."""
    origin = typing.get_origin(hint)
    if hint in _NUMBERS:
        return _scalar(hint, name, width)
    if origin is typing.Literal:
        return typing.get_args(hint)[0]
    if origin in (typing.Union, types.UnionType):
        return _first(typing.get_args(hint), name, width, make)
    if (origin or hint) in _SEQUENCES:
        return _sequence(hint, lambda one: value_of(one, name, width, make))
    if (origin or hint) in (type, collections.abc.Callable):
        return _callable(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return next(iter(hint))
    return make(hint)


def _scalar(hint: type, name: str, width: int) -> Any:
    return True if hint is bool else integer(name, width) if hint is int else PROBABILITY


def _first(options: Sequence[Any], name: str, width: int, make: Maker) -> Any:
    """A value of the first of several annotations that has one, numbers first; None if that is one of them."""
    for one in sorted((one for one in options if one is not types.NoneType), key=lambda one: one not in _NUMBERS):
        try:
            return value_of(one, name, width, make)
        except NoValueError:
            continue
    if types.NoneType in options:
        return None
    raise NoValueError


def _sequence(hint: Any, value: Maker) -> Any:
    """Two items, or as many as a tuple has."""
    kinds = typing.get_args(hint) or (int,)
    is_tuple = (typing.get_origin(hint) or hint) is tuple
    if len(kinds) == 1 and not (is_tuple and typing.get_args(hint)):
        kinds = (*kinds, ...)
    items = [value(kinds[0])] * 2 if kinds[-1] is ... else [value(one) for one in kinds]
    return tuple(items) if is_tuple else items


def _callable(hint: Any) -> Any:
    """The identity: a class that accepts any arguments if a class or what makes modules is expected."""
    given = typing.get_args(hint)
    made = given[-1] if given else Any
    if typing.get_origin(hint) is type or hint is type or _is_module(made):
        return nn.Identity
    return nn.Identity()


def _is_module(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, nn.Module)
