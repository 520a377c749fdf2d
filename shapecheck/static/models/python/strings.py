"""Methods of strings, and `json.loads`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeAlias

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import DictValue, ListValue
from shapecheck.static.domain.partly_known import text_between, text_of
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.models.python.type_guards import PLAIN, are_strings

_METHODS = frozenset(
    """
    capitalize count endswith find index isalpha isdigit islower isnumeric isspace isupper lower lstrip partition
    removeprefix removesuffix replace rfind rpartition rsplit rstrip split splitlines startswith strip swapcase title
    upper
    """.split()
)

_Json: TypeAlias = "dict[str, _Json] | list[_Json] | str | int | float | bool | None"


def _loads(text: Value) -> Value:
    """The result of `json.loads`."""
    try:
        return _from_json(json.loads(text)) if isinstance(text, str) else Unknown("an unknown string")
    except ValueError:
        return Unknown("invalid JSON")


def _from_json(parsed: _Json) -> Value:
    if isinstance(parsed, dict):
        return DictValue({key: _from_json(one) for key, one in parsed.items()})
    return ListValue(tuple(map(_from_json, parsed))) if isinstance(parsed, list) else parsed


FUNCTIONS: dict[str, Callable[..., Value]] = {"json.loads": _loads}


def of_text(text: str, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of a method of a string."""
    if name == "join" and len(args) == 1:
        items = items_of(args[0])
        if items is None:
            return Unknown("string joined from unknown parts")
        if are_strings(items):
            return text.join(items)
        parts = [one if isinstance(one, str) else None for one in items]
        return text_of([part for one in parts for part in (text, one)][1:])
    if name == "format":
        if _can_format(text, (*args, *kwargs.values())):
            return _evaluated(text.format, args, kwargs)
        return text_between(text.partition("{")[0], text.rpartition("}")[2])
    if name in _METHODS and all(_is_plain(one) for one in (*args, *kwargs.values())):
        return _evaluated(getattr(text, name), args, kwargs)
    return Unknown(f"unsupported {name}() of a string")


def _evaluated(method: Callable[..., Value | list[str]], args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    try:
        found = method(*args, **kwargs)
    except (TypeError, ValueError, LookupError, AttributeError):
        return Unknown("unsupported string operation")
    return ListValue(tuple(found)) if isinstance(found, list) else found


def _is_plain(value: Value) -> bool:
    return isinstance(value, PLAIN) or (type(value) is tuple and all(isinstance(one, str) for one in value))


def _can_format(text: str, values: tuple[Value, ...]) -> bool:
    """Whether all values are plain and the template has no format specifier, whose width could be any size."""
    return ":" not in text and all(isinstance(one, PLAIN) for one in values)
