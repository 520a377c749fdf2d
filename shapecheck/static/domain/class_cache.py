"""Caches what a function reads from the source of a class and its bases, as long as the class."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from shapecheck.project.observed_code import STATE, Observing
from shapecheck.static.domain.objects import ClassValue

Result = TypeVar("Result")


def cached_on_class(function: Callable[[ClassValue], Result]) -> Callable[[ClassValue], Result]:
    """Caches the results of a function of a class, which may depend on its source and method resolution order alone."""

    @wraps(function)
    def cached(cls: ClassValue) -> Result:
        facts: dict[Callable[..., Any], Any] = cls.source_facts
        if function not in facts:
            with Observing() as observed:
                result = function(cls)
            facts[function] = result, observed
        result, observed = facts[function]
        STATE.current |= observed
        return result

    return cached
