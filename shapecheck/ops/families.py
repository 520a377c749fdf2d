"""Loads every family of rules: each file in `rules` and `modules` enters its own."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from shapecheck.ops import modules, rules


def load() -> None:
    """Imports the families, in the order of their names."""
    for room in (rules, modules):
        for family in iter_modules(room.__path__):
            import_module(f"{room.__name__}.{family.name}")
