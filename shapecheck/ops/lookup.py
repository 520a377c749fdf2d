"""Which operators and layers have a trait."""

from __future__ import annotations

from functools import cache

from shapecheck.ops import names
from shapecheck.ops.families import load
from shapecheck.ops.registry import TABLE
from shapecheck.ops.traits import Trait


@cache
def names_with(traits: Trait) -> frozenset[str]:
    """The operators and layers with all of these traits, under the names by which calls of them are known.

    An operator is named without its namespace (`add`, and `+` where Python has a symbol for it), a layer that is
    called with parentheses (`Linear()`). Loads all rules, so ask during an analysis, not at import.
    """
    load()
    sets = {entry.traits for entry in TABLE.values()}  # few, and each test of one costs more than the lookup of a name
    having = {one for one in sets if traits in one}
    registered = (_name_of_call(name) for name, entry in TABLE.items() if entry.traits in having)
    symbols = (symbol for symbol in names.SYMBOLS if _traits_of(symbol) in having)
    return frozenset((*registered, *symbols))


@cache
def layers_with(traits: Trait) -> frozenset[str]:
    """The classes of layers with all of these traits: `Linear`."""
    return frozenset(name.removesuffix("()") for name in names_with(traits) if name.endswith("()"))


def _traits_of(symbol: str) -> Trait:
    entry = names.find(symbol)
    assert entry is not None
    return entry.traits


def _name_of_call(name: str) -> str:
    short = name.rpartition(".")[2]
    return f"{short}()" if name == f"nn.{short}" and short[:1].isupper() else short
