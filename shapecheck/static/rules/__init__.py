"""Rules about code that torch accepts and that is rarely intended: one file a rule, found by looking at this folder.

A rule registers with the hooks (`engine.hooks`) that should call it, and reports under a code of `diagnostics.codes`.
`rules_for` returns the rules of the selected codes; a rule of another code costs nothing. Not here: errors that torch
itself raises, which `operators` reports.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from shapecheck.static.engine.hooks import HookTable, registered


@lru_cache(maxsize=8)
def rules_for(codes: frozenset[str]) -> HookTable:
    """The rules that report these codes, by hook and name."""
    for file in iter_modules(__path__):
        import_module(f"{__name__}.{file.name}")
    return registered(codes)
