"""Polynomials with integer coefficients over atoms: the raw material of `Dim`.

`Terms` maps a monomial to its non-zero coefficient; `{}` is 0, the empty monomial is the constant's. Terms are never
changed once they are handed on. A monomial is a tuple of (atom, power) in the order of the atoms' serial numbers.
Atoms are interned: two atoms are equal when they are the same object.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from math import gcd
from weakref import WeakValueDictionary

from shapecheck.spec.caching import cached

NAME, UNKNOWN, FLOOR, EXACT, MOD, MAX, MIN = range(7)

MAX_TERMS = 2_000
MAX_PAIRS = 50_000
MAX_COEFFICIENT = 1 << 256
MAX_WEIGHT = 4_000
MAX_DEPTH = 6

_serials = count()


class Atom:
    """One indivisible factor: a name, an unknown, or a division, remainder, maximum or minimum of `args`.

    `low` is the least value that is proved, None when nothing is. `weight` counts the factors inside, `depth` how deep
    they nest. `is_of_axes` says whether an axis name of an annotated signature is in it. `text` caches what
    `spec.text` writes for it, `values` what `spec.samples` does.
    """

    __slots__ = (
        "__weakref__",
        "args",
        "depth",
        "is_of_axes",
        "kind",
        "low",
        "name",
        "scope",
        "serial",
        "text",
        "values",
        "weight",
    )

    def __init__(
        self, kind: int, name: str = "", scope: str = "", args: tuple[Terms, ...] = (), low: int | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        self.scope = scope
        self.args = args
        self.low = low
        self.serial = next(_serials)
        self.text = name
        self.values: Values | None = None
        self.is_of_axes = bool(scope) or any(map(are_of_axes, args))
        self.weight = 1 + sum(weight(terms) for terms in args)
        self.depth = 1 + max((depth(terms) for terms in args), default=0)


Values = tuple[int | None, ...]
Monomial = tuple[tuple[Atom, int], ...]
Terms = dict[Monomial, int]

ONE: Terms = {(): 1}

_interned: WeakValueDictionary[object, Atom] = WeakValueDictionary()


def named_atom(name: str, scope: str) -> Atom:
    """The atom of a named size, which is at least 1."""
    key = (name, scope)
    atom = _interned.get(key)
    if atom is None:
        atom = _interned[key] = Atom(NAME, name, scope, low=1)
    return atom


def unknown_atom(hint: str = "?", low: int | None = None) -> Atom:
    """A fresh integer, equal only to itself."""
    return Atom(UNKNOWN, hint, low=low)


def find_atom(kind: int, args: tuple[Terms, ...]) -> tuple[object, Atom | None]:
    """The key of a compound atom and the atom, when there is one already. The order in a MAX or MIN does not matter."""
    frozen = [frozenset(terms.items()) for terms in args]
    key = (kind, frozenset(frozen) if kind in (MAX, MIN) else tuple(frozen))
    return key, _interned.get(key)


def add_atom(key: object, kind: int, args: tuple[Terms, ...], low: int | None) -> Atom:
    """A new compound atom under `key`; an unknown in its place when it is too deep or too heavy to work with."""
    atom = Atom(kind, args=args, low=low)
    if atom.weight > MAX_WEIGHT or atom.depth > MAX_DEPTH:
        return unknown_atom(low=low)
    _interned[key] = atom
    return atom


def of_atom(atom: Atom) -> Terms:
    """The atom alone."""
    return {((atom, 1),): 1}


def constant(value: int) -> Terms:
    """An integer."""
    return {(): value} if value else {}


def is_constant(terms: Terms) -> bool:
    """Whether no atom is left."""
    return not terms or (len(terms) == 1 and () in terms)


def weight(terms: Terms) -> int:
    """How many factors there are, those inside atoms included."""
    return sum(1 + sum(atom.weight for atom, _ in monomial) for monomial in terms)


def depth(terms: Terms) -> int:
    """How deep atoms nest."""
    return max((atom.depth for monomial in terms for atom, _ in monomial), default=0)


def atoms(terms: Terms) -> set[Atom]:
    """The atoms at the top, not those inside others."""
    return {atom for monomial in terms for atom, _ in monomial}


def are_of_axes(terms: Terms) -> bool:
    """Whether terms contain an axis name of an annotated signature."""
    return any(atom.is_of_axes for monomial in terms for atom, _ in monomial)


def only_atom(terms: Terms) -> Atom | None:
    """The atom when `terms` is one atom and nothing else."""
    if len(terms) != 1:
        return None
    ((monomial, coefficient),) = terms.items()
    return monomial[0][0] if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1 else None


def add(left: Terms, right: Terms, factor: int = 1) -> Terms:
    """left + factor * right."""
    total = left.copy()
    for monomial, coefficient in right.items():
        value = total.get(monomial, 0) + factor * coefficient
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return total


def scale(terms: Terms, factor: int) -> Terms:
    """factor * terms."""
    return {monomial: coefficient * factor for monomial, coefficient in terms.items()} if factor else {}


def _serial(power: tuple[Atom, int]) -> int:
    return power[0].serial


@cached(1 << 13)
def times(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=_serial))


def over(left: Monomial, right: Monomial) -> Monomial | None:
    """left / right, None when right does not divide left."""
    if not right:
        return left
    powers = dict(left)
    for atom, power in right:
        rest = powers.get(atom, 0) - power
        if rest < 0:
            return None
        powers[atom] = rest
    return tuple((atom, power) for atom, power in powers.items() if power)


def common(monomials: Iterable[Monomial]) -> Monomial:
    """The greatest monomial that divides all of them."""
    shared: dict[Atom, int] | None = None
    for monomial in monomials:
        if shared is None:
            shared = dict(monomial)
            continue
        powers = dict(monomial)
        shared = {atom: min(power, powers[atom]) for atom, power in shared.items() if atom in powers}
        if not shared:
            return ()
    return tuple((shared or {}).items())


def content(terms: Terms) -> int:
    """The greatest common divisor of the coefficients."""
    return gcd(*terms.values())


def strip(terms: Terms, factor: int, monomial: Monomial) -> Terms:
    """Terms divided by factor * monomial, which the caller knows to divide every term."""
    stripped: Terms = {}
    for key, coefficient in terms.items():
        rest = over(key, monomial)
        assert rest is not None
        stripped[rest] = coefficient // factor
    return stripped


def product(left: Terms, right: Terms) -> Terms | None:
    """left * right, atoms multiplied as they are; None when the result is too long to work with."""
    if len(left) * len(right) > MAX_PAIRS:
        return None
    total: Terms = {}
    for one, first in left.items():
        for other, second in right.items():
            monomial = times(one, other) if one and other else one or other
            total[monomial] = total.get(monomial, 0) + first * second
        if len(total) > MAX_TERMS:
            return None
    if max(map(abs, total.values()), default=0) > MAX_COEFFICIENT:
        return None
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def order(monomial: Monomial) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The key of a monomial order (graded, then lexical): of a product it is what the factors' order says."""
    return sum(power for _, power in monomial), tuple((-atom.serial, power) for atom, power in monomial)
