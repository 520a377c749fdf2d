"""Loads every family of rules: importing a module of `rules` or `modules` registers its rules."""

from __future__ import annotations

from functools import cache
from importlib import import_module


@cache
def load() -> None:
    """Imports all families, in the order of their names: for processes that answer many questions, or are forked."""
    from pkgutil import iter_modules  # noqa: PLC0415

    from shapecheck.ops import modules, rules  # noqa: PLC0415

    for room in (rules, modules):
        for family in iter_modules(room.__path__):
            import_module(f"{room.__name__}.{family.name}")
