"""Whether two polynomials are equal for every assignment, for none, or neither."""

from __future__ import annotations

from math import gcd

from shapecheck.spec.bounds import lower
from shapecheck.spec.caching import cached
from shapecheck.spec.division import divide, extreme, multiply, power_of, replaced
from shapecheck.spec.errors import ShapeError
from shapecheck.spec.samples import signs
from shapecheck.spec.terms import (
    EXACT,
    FLOOR,
    MAX,
    MIN,
    MOD,
    NAME,
    UNKNOWN,
    Atom,
    Terms,
    add,
    are_of_axes,
    atoms,
    common,
    is_constant,
    of_atom,
    over,
    scale,
)

_Fraction = tuple[frozenset[object], frozenset[object]]
_Fractions = frozenset[_Fraction]
_NONE: _Fractions = frozenset()


def equal(left: Terms, right: Terms) -> bool | None:
    """True: equal; False: different for every assignment; None: not known."""
    difference = add(left, right, -1)
    verdict = _is_zero(difference)
    if verdict is None and _hides_more(difference):
        try:
            unfolded = _without_quotients(_unfolded(difference, _fractions(difference)))
        except ShapeError:  # n % d is 0 where d divides n, and something is divided by it: it has no value
            return None
        verdict = None if unfolded == difference else _is_zero(unfolded)
    return verdict


def _hides_more(terms: Terms) -> bool:
    """Whether unfolding what is divided could show that terms are 0, or never 0."""
    if all(atom.kind in (NAME, UNKNOWN) for atom in atoms(terms)):
        return False
    seen = signs(terms)
    return are_of_axes(terms) or not (seen.zero and (seen.below or seen.above))


def _is_zero(terms: Terms) -> bool | None:
    if is_constant(terms):
        return not terms
    if differs(terms) or _is_of_two_axes(terms):
        return False
    return None


def differs(terms: Terms) -> bool:
    """Whether arithmetic proves that `terms` is never 0."""
    factor = gcd(*(value for monomial, value in terms.items() if monomial))
    if factor and terms.get((), 0) % factor:
        return True
    if is_constant(terms):
        return bool(terms)
    seen = signs(terms)
    if seen.differ:
        return False
    return (not seen.below and _is_positive(terms)) or (not seen.above and _is_positive(scale(terms, -1)))


def _is_positive(terms: Terms) -> bool:
    return (lower(terms) or 0) > 0


def _is_of_two_axes(terms: Terms) -> bool:
    """Whether `terms` is f*(d - e), for f not 0, d and e being two axis names of one annotated signature."""
    if len(terms) != 2 or sum(terms.values()) != 0:
        return False
    shared = common(terms)
    rests = [over(monomial, shared) or () for monomial in terms]
    if any(len(rest) != 1 for rest in rests) or any(not atom.low or atom.low < 1 for atom, _ in shared):
        return False
    (one, power), (other, same_power) = rests[0][0], rests[1][0]
    return one.kind == other.kind == NAME and one.scope == other.scope != "" and power == same_power


def _fractions(terms: Terms) -> _Fractions:
    """What is known to divide what: the quotients anywhere in `terms`."""
    return _NONE.union(*(_fractions_in(atom, of_quotients=True) for atom in atoms(terms) if atom.args))


@cached(1 << 12)
def _fractions_in(atom: Atom, *, of_quotients: bool) -> _Fractions:
    """The divisions anywhere in an atom with args, or only those that are known to be exact."""
    found = _NONE.union(
        *(_fractions_in(one, of_quotients=of_quotients) for size in atom.args for one in atoms(size) if one.args)
    )
    is_one = atom.kind == EXACT if of_quotients else atom.kind not in (MAX, MIN)
    return found | {_fraction(*atom.args)} if is_one else found


def _fraction(dividend: Terms, divisor: Terms) -> _Fraction:
    return frozenset(dividend.items()), frozenset(divisor.items())


def _unfolded(terms: Terms, fractions: _Fractions) -> Terms:
    """Terms with n % d as n - d*(n//d), divisions that are known to be exact as quotients, and coefficients under a
    constant divisor in [0, divisor).
    """

    def unfolded(atom: Atom) -> Terms:
        if not atom.args:
            return of_atom(atom)
        return _unfolded_atom(atom, fractions & _fractions_in(atom, of_quotients=False))

    return replaced(terms, unfolded)


@cached(1 << 12)
def _unfolded_atom(atom: Atom, fractions: _Fractions) -> Terms:
    """The same for an atom with args, where `fractions` has only those that are in the atom."""
    args = [_unfolded(size, fractions) for size in atom.args]
    if atom.kind in (MAX, MIN):
        return extreme(atom.kind, args)
    dividend, divisor = args
    exact = atom.kind == EXACT or _fraction(*atom.args) in fractions
    whole = _unfolded_division(dividend, divisor, EXACT if exact else FLOOR)
    return add(dividend, multiply(divisor, whole), -1) if atom.kind == MOD else whole


def _unfolded_division(dividend: Terms, divisor: Terms, kind: int) -> Terms:
    if not divisor or not is_constant(divisor):
        return divide(dividend, divisor, kind)
    number = divisor[()]
    # n//2 is written over -n + 2*n: what is taken out is negative, so that no coefficient below stays negative.
    whole = {monomial: value // number for monomial, value in dividend.items() if value // number}
    return add(whole, divide(add(dividend, whole, -number), divisor, kind))


def _without_quotients(terms: Terms) -> Terms:
    """Terms times the divisors of its quotients, which are not 0: zero when `terms` is zero."""
    for _ in range(8):
        quotient = next((atom for atom in atoms(terms) if atom.kind == EXACT), None)
        if quotient is None:
            break
        dividend, divisor = quotient.args
        highest = max(power for monomial in terms for atom, power in monomial if atom is quotient)
        total: Terms = {}
        for monomial, coefficient in terms.items():
            power = dict(monomial).get(quotient, 0)
            rest = over(monomial, ((quotient, power),)) if power else monomial
            factor = multiply(power_of(dividend, power), power_of(divisor, highest - power))
            total = add(total, multiply({rest or (): coefficient}, factor))
        terms = total
    return terms
