"""Values of polynomials at sample points: one counterexample makes a proof unnecessary.

Every name and unknown has a value at each point, and every other atom the one that follows. There is none where a
division has no meaning there: its divisor is 0, or does not divide what is known to be divided.
"""

from __future__ import annotations

from typing import NamedTuple

from shapecheck.spec.terms import EXACT, MAX, MIN, MOD, Atom, Terms, Values

_ALIKE = (1, 720_720)
"""Where every name has the same value, most divisions are exact."""
_SPREAD = ((7, 23), (1_237, 1_009))
_POINTS = 1 + len(_ALIKE) + len(_SPREAD)
_LARGEST = 1 << 128


class Signs(NamedTuple):
    """Whether a point was found where a polynomial is below 0, is 0, is above 0."""

    below: bool
    zero: bool
    above: bool

    @property
    def differ(self) -> bool:
        """Whether it is neither above 0 everywhere nor below 0 everywhere."""
        return self.zero or (self.below and self.above)


def signs(terms: Terms) -> Signs:
    """The signs of terms at all points where they have a value."""
    below = zero = above = False
    for point in range(_POINTS):
        value = _value(terms, point)
        if value is None:
            continue
        if value > 0:
            above = True
        elif value:
            below = True
        else:
            zero = True
    return Signs(below, zero, above)


def _value(terms: Terms, point: int) -> int | None:
    total = 0
    for monomial, coefficient in terms.items():
        factor = coefficient
        for atom, power in monomial:
            value = (atom.values or _sampled(atom))[point]
            if value is None:
                return None
            factor *= value if power == 1 else value**power
        total += factor
    return total if -_LARGEST < total < _LARGEST else None


def _sampled(atom: Atom) -> Values:
    """The values of an atom, which it keeps."""
    if not atom.args:
        atom.values = _of_leaf(atom.serial, atom.low)
    else:
        atom.values = tuple(
            _of_compound(atom.kind, [_value(terms, point) for terms in atom.args]) for point in range(_POINTS)
        )
    return atom.values


def _of_leaf(serial: int, low: int | None) -> Values:
    """The values of a name or an unknown, none of them below `low`."""
    least = -3 if low is None else low
    alike = (max(least, one) for one in _ALIKE)
    return (least, *alike, *(least + 1 + serial * factor % modulus for factor, modulus in _SPREAD))


def _of_compound(kind: int, args: list[int | None]) -> int | None:
    known = [one for one in args if one is not None]
    if len(known) < len(args):
        return None
    if kind in (MAX, MIN):
        return max(known) if kind == MAX else min(known)
    dividend, divisor = known
    if not divisor or (kind == EXACT and dividend % divisor):
        return None
    return dividend % divisor if kind == MOD else dividend // divisor
