"""Methods that a deque has and a list has not; the first items are on its left.

Source: https://docs.python.org/3/library/collections.html#collections.deque
"""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.iteration import items_of

Items = tuple[Value, ...]


def _appended(items: Items, args: Items) -> Items | None:
    return (args[0], *items) if len(args) == 1 else None


def _extended(items: Items, args: Items) -> Items | None:
    """Each new item is added at the left, so that their order is reversed."""
    more = items_of(args[0]) if len(args) == 1 else None
    return None if more is None else (*reversed(more), *items)


def _rotated(items: Items, args: Items) -> Items | None:
    steps = args[0] if args else 1
    if type(steps) is not int or len(args) > 1:
        return None
    first = -steps % len(items) if items else 0
    return (*items[first:], *items[:first])


AT_THE_LEFT: dict[str, Callable[[Items, Items], Items | None]] = {
    "appendleft": _appended,
    "extendleft": _extended,
    "rotate": _rotated,
}
"""The items after a call, None if they are unknown. A deque with a maximum length keeps the first of them."""
