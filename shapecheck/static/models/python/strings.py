"""Methods of texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.static.domain.values import DictValue, ListValue, Value
from shapecheck.static.engine.iteration import items_of

_METHODS = frozenset(
    """
    capitalize count endswith find index isalpha isdigit islower isnumeric isspace isupper lower lstrip partition
    removeprefix removesuffix replace rfind rpartition rsplit rstrip split splitlines startswith strip swapcase title
    upper
    """.split()
)
_PLAIN = (str, int, float, bool, type(None))


def _read(text: Value) -> Value:
    """`json.loads`."""
    try:
        return _value(json.loads(text)) if isinstance(text, str) else Unknown("an unknown text")
    except ValueError:
        return Unknown("a text that is no JSON")


def _value(read: Any) -> Value:
    if isinstance(read, dict):
        return DictValue({key: _value(one) for key, one in read.items()})
    return ListValue(tuple(map(_value, read))) if isinstance(read, list) else read


FUNCTIONS: dict[str, Callable[..., Value]] = {"json.loads": _read}


def of_text(text: str, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """What a method of a text gives."""
    if name == "join" and len(args) == 1:
        items = items_of(args[0])
        known = items is not None and all(isinstance(one, str) for one in items)
        return text.join(items or ()) if known else Unknown("a text of unknown parts")
    if name == "format" and _is_short(text, (*args, *kwargs.values())):
        return _called(text.format, args, kwargs)
    if name in _METHODS and all(_is_plain(one) for one in (*args, *kwargs.values())):
        return _called(getattr(text, name), args, kwargs)
    return Unknown(f"{name} of a text")


def _called(method: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    try:
        found = method(*args, **kwargs)
    except (TypeError, ValueError, LookupError, AttributeError):
        return Unknown("a text with which that does not go")
    return ListValue(tuple(found)) if isinstance(found, list) else found


def _is_plain(value: Value) -> bool:
    return isinstance(value, _PLAIN) or (type(value) is tuple and all(isinstance(one, str) for one in value))


def _is_short(text: str, values: tuple[Value, ...]) -> bool:
    """Whether it is filled with plain values and asks for no width, which could be any."""
    return ":" not in text and all(isinstance(one, _PLAIN) for one in values)
