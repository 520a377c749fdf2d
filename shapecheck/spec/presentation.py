"""How a value of the checked program appears in a message: short, and never as an internal representation."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

_LONGEST = 60
"""Characters of a value in a message; the rest is elided."""
_MOST_ITEMS = 8
_DEEPEST = 3
_PLAIN = (bool, int, float, complex, type(None))


def value_text(value: object) -> str:
    """The value as a message shows it: `"same"`, `2.5`, `(1, 2*c)`, `a tensor of shape (b, 3)`, `a dict`.

    At most `_LONGEST` characters and an ellipsis.
    """
    return clipped(_text(value, 0))


def clipped(text: str, longest: int = _LONGEST) -> str:
    """The text in one line; what exceeds `longest` characters is replaced by an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest]}..."


def _text(value: object, depth: int) -> str:
    if isinstance(value, _PLAIN):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (tuple, list)) and depth < _DEEPEST:
        return _sequence(value, depth + 1)
    if value is ...:
        return "..."
    return _of_another_kind(value)


def quoted(text: str) -> str:
    """The string in double quotes, with Python's escapes."""
    return json.dumps(text, ensure_ascii=False)


def _sequence(values: tuple[Any, ...] | list[Any], depth: int) -> str:
    items = [_text(one, depth) for one in islice(values, _MOST_ITEMS)]
    if len(values) > _MOST_ITEMS:
        items.append("...")
    text = ", ".join(items)
    if isinstance(values, list):
        return f"[{text}]"
    return f"({text},)" if len(values) == 1 else f"({text})"


def _of_another_kind(value: Any) -> str:
    kind: Any = type(value)
    if hasattr(kind, "in_message"):
        return str(value.in_message())
    if kind.__str__ is not object.__str__ and kind.__module__.startswith("shapecheck."):
        return str(value)
    name = "function" if callable(value) and hasattr(value, "__name__") else kind.__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
