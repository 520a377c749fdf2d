"""Which operators and layers have a trait."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_

from shapecheck.ops.family_index import NAMES_WITH_TRAITS
from shapecheck.ops.names import SYMBOLS
from shapecheck.ops.registry import family_of_names
from shapecheck.ops.traits import NO_TRAITS, Trait


@cache
def names_with(traits: Trait) -> frozenset[str]:
    """The operators and layers with all of these traits, under the names by which calls of them are known.

    An operator is named without its namespace (`add`, and `+` where Python has a symbol for it), a layer that is
    called with parentheses (`Linear()`).
    """
    known = _traits_of_names()
    having = [name for name in family_of_names() if traits in known.get(name, NO_TRAITS)]
    symbols = (symbol for symbol, name in SYMBOLS.items() if traits in _traits_of(name))
    return frozenset((*map(_name_of_call, having), *symbols))


@cache
def layers_with(traits: Trait) -> frozenset[str]:
    """The classes of layers with all of these traits: `Linear`."""
    return frozenset(name.removesuffix("()") for name in names_with(traits) if name.endswith("()"))


def _traits_of(operator: str) -> Trait:
    known = _traits_of_names()
    return known.get(f"operator.{operator}", known.get(operator, NO_TRAITS))


@cache
def _traits_of_names() -> dict[str, Trait]:
    """The traits of each registered name that has any."""
    return {
        name: reduce(or_, (Trait[one] for one in traits.split()))
        for traits, names in NAMES_WITH_TRAITS.items()
        for name in names.split()
    }


def _name_of_call(name: str) -> str:
    short = name.rpartition(".")[2]
    return f"{short}()" if name == f"nn.{short}" and short[:1].isupper() else short
