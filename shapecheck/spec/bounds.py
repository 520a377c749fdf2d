"""Lower bounds of polynomials, proved for every assignment of the names (each at least 1).

The proof writes each atom as its least value plus something not negative, multiplies out, and looks at the signs. When
that does not do, a division, remainder, maximum or minimum is replaced by what bounds it and the proof is tried again.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from shapecheck.spec.caching import cached
from shapecheck.spec.samples import signs
from shapecheck.spec.terms import (
    EXACT,
    FLOOR,
    MAX,
    MIN,
    MOD,
    ONE,
    Atom,
    Monomial,
    Terms,
    add,
    is_constant,
    order,
    over,
    product,
    scale,
    weight,
)

_MAX_TERMS = 64
_MAX_DEGREE = 6
_MAX_RELAXATIONS = 3
_MAX_WEIGHT = 40
"""How heavy a polynomial may be for all of them; beyond it, one."""


def lower(terms: Terms) -> int | None:
    """A value that `terms` never goes below; None when none is found."""
    if is_constant(terms):
        return terms.get((), 0)
    return _lower(terms, _MAX_RELAXATIONS if weight(terms) <= _MAX_WEIGHT else 1)


def _lower(terms: Terms, relaxations: int) -> int | None:
    if is_constant(terms):
        return terms.get((), 0)
    if len(terms) > _MAX_TERMS:
        return None
    shifted = _shifted(terms)
    if shifted is not None and all(value >= 0 for monomial, value in shifted.items() if monomial):
        return shifted.get((), 0)
    if not relaxations:
        return None
    bounds = [bound for bound in _relaxed_bounds(terms, relaxations) if bound is not None]
    return max(bounds, default=None)


def _shifted(terms: Terms) -> Terms | None:
    """Terms in what each atom has above its least value; None when an atom has none, or the result is too long."""
    total: Terms = {}
    for monomial, coefficient in terms.items():
        expanded = _shifted_monomial(monomial)
        if expanded is None:
            return None
        for key, value in expanded.items():
            total[key] = total.get(key, 0) + coefficient * value
        if len(total) > _MAX_TERMS:
            return None
    return total


@cached(1 << 12)
def _shifted_monomial(monomial: Monomial) -> Terms | None:
    if sum(power for _, power in monomial) > _MAX_DEGREE:
        return None
    expanded = ONE
    for atom, power in monomial:
        if atom.low is None:
            return None
        factor: Terms = {}
        for k in range(power + 1):
            factor = add(factor, {((atom, k),) if k else (): comb(power, k)}, atom.low ** (power - k))
        raised = product(expanded, {key: value for key, value in factor.items() if value})
        if raised is None:
            return None
        expanded = raised
    return expanded


def _relaxed_bounds(terms: Terms, relaxations: int) -> Iterator[int | None]:
    """Bounds by way of what bounds one of the atoms."""
    for monomial, atom in _relaxable(terms):
        coefficient = terms[monomial]
        others = {key: value for key, value in terms.items() if key != monomial}
        outside = {over(monomial, ((atom, 1),)) or (): coefficient}
        for dividend, divisor in _choices(atom, from_below=coefficient > 0):
            yield _bound(others, outside, dividend, divisor, relaxations - 1)


def _relaxable(terms: Terms) -> list[tuple[Monomial, Atom]]:
    """Atoms that have args, where what they are multiplied by is not negative."""
    found = [
        (monomial, atom)
        for monomial in terms
        for atom, power in monomial
        if atom.args and power == 1 and all(one is atom or _is_natural(one) for one, _ in monomial)
    ]
    return sorted(found, key=lambda pair: (order(pair[0]), pair[1].serial))[:_MAX_RELAXATIONS]


def _is_natural(atom: Atom) -> bool:
    return atom.low is not None and atom.low >= 0


def _choices(atom: Atom, *, from_below: bool) -> Iterator[tuple[Terms, Terms]]:
    """Pairs (n, d): atom >= n / d when `from_below`, else atom <= n / d; each d is at least 1."""
    if atom.kind in (MAX, MIN):
        if (atom.kind == MAX) == from_below:
            yield from ((size, ONE) for size in atom.args)
        return
    dividend, divisor = atom.args
    if (lower(divisor) or 0) < 1:
        return
    if atom.kind == EXACT:
        yield dividend, divisor
    elif atom.kind == FLOOR:
        yield (add(add(dividend, divisor, -1), ONE) if from_below else dividend), divisor
    elif atom.kind == MOD and not from_below:
        yield add(divisor, ONE, -1), ONE
        if at_least(dividend, {}):
            yield dividend, ONE


def _bound(others: Terms, outside: Terms, dividend: Terms, divisor: Terms, relaxations: int) -> int | None:
    """A lower bound of others + outside * dividend / divisor."""
    left, right = product(others, divisor), product(outside, dividend)
    if left is None or right is None:
        return None
    bound = _lower(add(left, right), relaxations)
    if bound is None:
        return None
    if is_constant(divisor):
        return -(-bound // divisor[()])
    # The value times the divisor is at least `bound`: only its sign says something of the value.
    return min(bound, 1) if bound >= 0 else None


def least_of_division(kind: int, dividend: Terms, divisor: Terms) -> int | None:
    """The least value of a FLOOR, EXACT or MOD atom; None when nothing is proved."""
    floor = lower(divisor)
    if floor is None or floor < 1:
        return None
    if kind == MOD:
        return 0
    bound = lower(dividend)
    if bound is None:
        return None
    if is_constant(divisor):
        return bound // divisor[()] if kind == FLOOR else -(-bound // divisor[()])
    if bound < 0:
        return None
    if kind == EXACT and bound > 0:
        return 1
    return 1 if at_least(dividend, divisor) else 0


def least_of_extreme(kind: int, sizes: tuple[Terms, ...]) -> int | None:
    """The least value of a MAX or MIN atom; None when nothing is proved."""
    bounds = [lower(size) for size in sizes]
    known = [bound for bound in bounds if bound is not None]
    if kind == MAX:
        return max(known, default=None)
    return min(known) if len(known) == len(bounds) else None


def at_least(left: Terms, right: Terms) -> bool | None:
    """Whether left >= right: True or False when that holds for every assignment."""
    difference = add(left, right, -1)
    seen = signs(difference)
    if not seen.below:
        bound = lower(difference)
        if bound is not None and bound >= 0:
            return True
    if seen.zero or seen.above:
        return None
    bound = lower(scale(difference, -1))
    return False if bound is not None and bound >= 1 else None


def is_between(terms: Terms, least: Terms, beyond: Terms) -> bool:
    """Whether least <= terms < beyond is proved."""
    return at_least(terms, least) is True and at_least(terms, beyond) is False
