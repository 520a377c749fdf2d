"""Types of configuration values: each is a validator and converter, with its description for error messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ValueType:
    """What a key may hold; `convert` raises WrongValue."""

    words: str
    convert: Callable[[object], Any]


class InvalidValue(Exception):
    """A value is not of its key's kind."""


def choice(allowed: Iterable[str]) -> ValueType:
    """One of some words."""
    names = tuple(allowed)

    def convert(value: object) -> str:
        if value not in names:
            raise InvalidValue
        return str(value)

    return ValueType("one of " + ", ".join(f'"{name}"' for name in names), convert)


def subset(allowed: tuple[str, ...]) -> ValueType:
    """A list of some words."""

    def convert(value: object) -> tuple[str, ...]:
        words = _strings(value)
        if not set(words) <= set(allowed):
            raise InvalidValue
        return words

    return ValueType("a list of " + ", ".join(f'"{word}"' for word in allowed), convert)


def text(words: str) -> ValueType:
    """A string that is not empty, which `words` describe."""
    return ValueType(words, _text)


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidValue
    return tuple(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidValue
    return value


def _matching(pattern: re.Pattern[str]) -> Callable[[object], str]:
    def convert(value: object) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise InvalidValue
        return value

    return convert


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidValue
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidValue
    return value


def _positive(value: object) -> int:
    if not _whole(value):
        raise InvalidValue
    return _whole(value)


def _seconds(value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise InvalidValue
    return float(value)


def _bytes(value: object) -> int:
    try:
        return parse_bytes(value if isinstance(value, str) else "")
    except ValueError:
        raise InvalidValue from None


def _range(value: object) -> tuple[int, int]:
    if isinstance(value, list):
        if len(value) == 2 and all(type(item) is int for item in value) and value[0] <= value[1]:
            return value[0], value[1]
        raise InvalidValue
    return 0, _positive(value) - 1


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidValue
    return value


_BYTES = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)


def parse_bytes(text: str) -> int:
    """A number of bytes, from `500MB` (powers of 1000) or `4GiB` (powers of 1024). Raises ValueError."""
    found = _BYTES.fullmatch(text.strip())
    size = 0.0
    if found is not None:
        size = float(found[1]) * (1024 if found[3] else 1000) ** " kmgt".index(found[2].lower() or " ")
    if size < 1:
        raise ValueError(f"{text!r} is no size; write it as 500MB or 4GiB")
    return int(size)


DEVICE = re.compile(r"cpu|fake|cuda(?::\d+)?")
"""What `shapecheck run --device` takes."""
_PLACE = re.compile(r"([^\W\d]\w*(\.[^\W\d]\w*)*|[^:]+\.py):[^\W\d]\w*")

STRINGS = ValueType("a list of strings", _strings)
BOOLEAN = ValueType("true or false", _boolean)
POSITIVE = ValueType("a whole number above 0", _positive)
WHOLE = ValueType("a whole number, 0 or above", _whole)
RANGE = ValueType("a whole number `n` above 0, for 0 to n - 1, or [low, high]", _range)
SECONDS = ValueType("a number of seconds above 0", _seconds)
BYTES = ValueType('a size as "500MB" or "4GiB"', _bytes)
DEVICE_NAME = ValueType('"cpu", "cuda", "cuda:N" or "fake"', _matching(DEVICE))
CLASS_PLACE = ValueType('a place as "pkg.module:Class" or "pkg/module.py:Class"', _matching(_PLACE))
TABLE = ValueType("a table", _table)
