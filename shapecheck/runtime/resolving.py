"""Resolves string annotations of a function."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Mapping
from typing import Any


class Resolver:
    """Evaluates source text as a function would: with its closure, type parameters, module and names `around` it."""

    def __init__(self, names: Mapping[str, Any], around: Mapping[str, Any]) -> None:
        self._names = {**names, **around}

    def __call__(self, text: str) -> Any:
        """The value of the text. Raises NameError, or any other error of the expression."""
        return eval(text.strip(), self._names)

    def inside(self, hint: Any) -> Any:
        """The hint, with strings among its arguments replaced by their values."""
        return typing.get_type_hints(_Holder(hint), self._names, {}, include_extras=True)["hint"]

    def within(self, kind: type) -> Resolver:
        """The same, with names looked up in the module of a class first."""
        module = vars(sys.modules[kind.__module__]) if kind.__module__ in sys.modules else {}
        return Resolver(self._names, {**module, kind.__name__: kind})


class _Holder:
    def __init__(self, hint: Any) -> None:
        self.__annotations__ = {"hint": hint}


def resolver(function: types.FunctionType, around: Mapping[str, Any]) -> Resolver:
    """The resolver of a function."""
    parameters = {parameter.__name__: parameter for parameter in getattr(function, "__type_params__", ())}
    return Resolver({**function.__globals__, **around}, {**_closure(function), **parameters})


def _closure(function: types.FunctionType) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # assigned later
            continue
    return found
