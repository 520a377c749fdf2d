"""The types of the values in the configuration: what msgspec accepts, and its description in a message.

Each type has a `Meta` whose `description` completes "KEY: expected ...". A type without one is a table.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated

from msgspec import Meta, convert

from shapecheck.diagnostics.codes import CHECKS, FIXES, GUARDS, REVEALED
from shapecheck.diagnostics.model import Severity
from shapecheck.diagnostics.render import FORMATS
from shapecheck.lazy_pattern import lazy_pattern

_SETS = ("default", "all")
"""Names of sets of codes."""
SELECTABLE = (*_SETS, *CHECKS, *REVEALED)
"""What `select` and `ignore` of `check` accept."""
STYLES = ("typing", "runtime")
DEVICE = lazy_pattern(r"cpu|fake|cuda(?::\d+)?")
"""What `shapecheck run --device` accepts."""
_CLASS_PATH = r"([^\W\d]\w*(\.[^\W\d]\w*)*|[^:]+\.py):[^\W\d]\w*"


def parse_bytes(text: str) -> int:
    """A number of bytes, from `500MB` (powers of 1000) or `4GiB` (powers of 1024). Raises ValueError."""
    found = _BYTES.fullmatch(text.strip())
    size = 0.0
    if found is not None:
        size = float(found[1]) * (1024 if found[3] else 1000) ** " kmgt".index(found[2].lower() or " ")
    if size < 1:
        raise ValueError(f'expected a size such as 500MB or 4GiB, got "{text}"')
    return int(size)


_BYTES = lazy_pattern(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)


class ByteCount(int):
    """A number of bytes, written as a string."""


class IntRange(tuple[int, int]):
    """The lowest and the highest integer, written as `n` (0 to n - 1) or `[low, high]`."""

    __slots__ = ()


def decode(kind: type, value: object) -> object:
    """Convert to one of our own types, as the `dec_hook` of msgspec. Raises ValueError."""
    return _DECODERS[kind](value)


def _byte_count(value: object) -> ByteCount:
    return ByteCount(parse_bytes(value if isinstance(value, str) else ""))


def _int_range(value: object) -> IntRange:
    low, high = convert([0, value - 1] if type(value) is int else value, tuple[int, int])
    if low > high:
        raise ValueError("expected low <= high")
    return IntRange((low, high))


_DECODERS: Mapping[type, Callable[[object], object]] = {ByteCount: _byte_count, IntRange: _int_range}


def _quoted(names: Iterable[str]) -> list[str]:
    return [f'"{name}"' for name in names]


def _alternatives(names: Iterable[str]) -> str:
    *most, last = _quoted(names)
    return f"{', '.join(most)} or {last}"


def _matching(pattern: str, description: str) -> Meta:
    return Meta(pattern=rf"\A(?:{pattern})\Z", description=description)


def _one_of(names: Collection[str]) -> Meta:
    return Meta(
        pattern=rf"\A(?:{'|'.join(map(re.escape, names))})\Z",
        description=_alternatives(names),
        extra={"allowed": tuple(names)},
    )


def _list_of(names: Iterable[str]) -> Meta:
    return Meta(description=f"a list of codes: {', '.join(_quoted(names))}")


_GUARD_SELECTABLE = (*_SETS, *GUARDS)

Boolean = Annotated[bool, Meta(description="true or false")]
Positive = Annotated[int, Meta(gt=0, description="a positive integer")]
NonNegative = Annotated[int, Meta(ge=0, description="a non-negative integer")]
Seconds = Annotated[float, Meta(gt=0, le=sys.float_info.max, description="a positive number of seconds")]
Bytes = Annotated[ByteCount, Meta(description='a size such as "500MB" or "4GiB"')]
Range = Annotated[IntRange, Meta(description="a positive integer n (for 0 to n - 1) or [low, high]")]
Name = Annotated[str, Meta(min_length=1, description="a non-empty string")]
File = Annotated[str, Meta(min_length=1, description="a path")]
Strings = Annotated[tuple[str, ...], Meta(description="a list of strings")]
DeviceName = Annotated[str, _matching(DEVICE.pattern, '"cpu", "cuda", "cuda:N" or "fake"')]
ClassPath = Annotated[str, _matching(_CLASS_PATH, 'a target such as "pkg.module:Class" or "pkg/module.py:Class"')]
Pattern = Annotated[str, Meta(pattern="[^ !/]", description="a .gitignore pattern")]
Format = Annotated[str, _one_of(FORMATS)]
Style = Annotated[str, _one_of(STYLES)]
Level = Annotated[Severity, Meta(description=_alternatives(level.value for level in Severity))]
CheckCode = Annotated[str, _one_of(CHECKS)]
GuardCode = Annotated[str, _one_of(GUARDS)]
Fixers = Annotated[tuple[Annotated[str, _one_of(FIXES)], ...], _list_of(FIXES)]
Checks = Annotated[tuple[Annotated[str, _one_of(SELECTABLE)], ...], _list_of(SELECTABLE)]
Guards = Annotated[tuple[Annotated[str, _one_of(_GUARD_SELECTABLE)], ...], _list_of(_GUARD_SELECTABLE)]
