"""What the strings among a function's annotations stand for."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

from shapecheck.runtime.reading import Resolve


def resolver(function: types.FunctionType, around: Mapping[str, Any]) -> Resolve:
    """Evaluates text as the function would: its closure, its type parameters, its module; then what is `around` it."""

    def resolve(text: str) -> Any:
        names = {**around, **_closure(function)}
        names.update((parameter.__name__, parameter) for parameter in getattr(function, "__type_params__", ()))
        return eval(text.strip(), {**function.__globals__, **names})

    return resolve


def _closure(function: types.FunctionType) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # assigned later
            continue
    return found
