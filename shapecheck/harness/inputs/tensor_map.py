"""Maps a function over the tensors within a value, including records that torch's pytree does not know."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from torch import Tensor


def map_tensors(value: Any, change: Callable[[str, Tensor], Any], place: str = "") -> Any:
    """The value with each tensor changed. change: is given the tensor's place, `batch.image`, and the tensor."""
    if isinstance(value, Tensor):
        return change(place, value)
    if isinstance(value, dict):
        items = {key: map_tensors(item, change, f"{place}[]" if place else str(key)) for key, item in value.items()}
        return items if type(value) is dict else _like(value, items)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        named = zip(value._fields, value, strict=True)
        return type(value)(*(map_tensors(item, change, f"{place}.{name}") for name, item in named))
    if isinstance(value, tuple):
        return tuple(map_tensors(item, change, f"{place}[{index}]") for index, item in enumerate(value))
    if isinstance(value, list):
        return [map_tensors(item, change, f"{place}[]") for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        made = copy.copy(value)
        for field in fields(value):
            if hasattr(value, field.name):
                item = map_tensors(getattr(value, field.name), change, f"{place}.{field.name}")
                object.__setattr__(made, field.name, item)  # a frozen one, too
        return made
    return value


def _like(value: dict[Any, Any], items: dict[Any, Any]) -> Any:
    made = copy.copy(value)
    made.update(items)
    return made
