"""Caches of what was computed of sizes, which a long-lived process empties together."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_CLEAR: list[Callable[[], None]] = []


def cached(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """`functools.lru_cache`, emptied by `clear_caches`."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        made = lru_cache(maxsize=maxsize)(function)
        _CLEAR.append(made.cache_clear)
        return made  # type: ignore[return-value]

    return decorate


def clear_caches() -> None:
    """Forgets all results: those about the unknown sizes of a run that is over are never looked up again."""
    for clear in _CLEAR:
        clear()
