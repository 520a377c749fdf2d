"""Which dimension a reshape puts at another place: its size is found again, but not at the same place in memory.

A reshape keeps the elements in order, so a dimension keeps the number of elements before it and after it. Sizes are
products of factors: one that a reshape keeps has the same product of sizes before it, or the same after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from shapecheck.spec import Dim, Size
from shapecheck.spec.dim import leaves, size_of, terms_of
from shapecheck.spec.exact import as_exact
from shapecheck.spec.terms import EXACT, FLOOR, NAME, UNKNOWN, Atom, of_atom, only_atom

_MOST_AXES = 8
_LEAST_PRIME = 11
_Factor = Atom | Dim
Sizes = tuple[Size, ...]
Group = tuple[int, int]
"""Adjacent dimensions: the first one, and the one after the last."""


class _Product(NamedTuple):
    """A product of sizes: the numbers, and the powers of its other factors."""

    number: int
    factors: Counter[_Factor]

    @property
    def is_one(self) -> bool:
        return self.number == 1 and not self.factors


class Move(NamedTuple):
    """A size that was at one place of a shape, and is at another one of the result."""

    size: Size
    before: int
    after: int


class Multiple(NamedTuple):
    """By which size the larger number of elements differs from the smaller one."""

    size: Size
    of_result: bool
    """Whether the result has more of them."""


@lru_cache(maxsize=1 << 12)
def moved(given: Sizes, result: Sizes) -> Move | None:
    """The first dimension that is at another place in memory; None if there is none for certain."""
    if max(len(given), len(result)) > _MOST_AXES or given == result:
        return None
    existing = _known_factors(given)
    in_given, in_result = dict(_groups(given)), dict(_groups(result))
    for index, size in enumerate(given):
        if isinstance(size, Dim):
            groups = [group for group, product in in_result.items() if product == size]
            pairs = [((index, index + 1), group) for group in groups]
            if pairs and all(_is_moved(given, result, *pair, existing) for pair in pairs):
                return Move(size, index, groups[0][0])
    for index, size in enumerate(result):
        if isinstance(size, Dim):
            groups = [group for group, product in in_given.items() if product == size]
            pairs = [(group, (index, index + 1)) for group in groups]
            if pairs and all(_is_moved(given, result, *pair, existing) for pair in pairs):
                return Move(size, groups[0][0], index)
    return _moved_number(given, result, existing)


def _moved_number(given: Sizes, result: Sizes, existing: frozenset[_Factor]) -> Move | None:
    """The same for a number: one that cannot come from other dimensions, as it has a prime factor that they lack."""
    for before, size in enumerate(given):
        prime = _large_prime(size) if type(size) is int else 0
        if not prime or result.count(size) != 1:
            continue
        after = result.index(size)
        others = (*given[:before], *given[before + 1 :], *result[:after], *result[after + 1 :])
        if any(_product((one,)).number % prime == 0 for one in others):
            continue
        sides = (_ratio(given[:before], result[:after]), _ratio(given[before + 1 :], result[after + 1 :]))
        known = [one for one in sides if one is not None]
        if not any(one.is_one for one in known) and any(_is_several(one, existing) for one in known):
            return Move(size, before, after)
    return None


@lru_cache(maxsize=1 << 8)
def _large_prime(number: int) -> int:
    """The largest prime factor of a number, 0 if it is small: factors such as 2 or 3 are in many sizes by chance."""
    factor = 2
    while factor * factor <= number:
        if number % factor:
            factor += 1
        else:
            number //= factor
    return number if number >= _LEAST_PRIME else 0


def _is_moved(given: Sizes, result: Sizes, old: Group, new: Group, existing: frozenset[_Factor]) -> bool:
    """Whether the dimensions of a group are at another place, and their factors are in no other dimension."""
    first, last, start, stop = *old, *new
    own = _factors((*given[first:last], *result[start:stop]))
    others = _factors((*given[:first], *given[last:], *result[:start], *result[stop:]))
    if not own or own & others or _may_divide(own, others) or _may_divide(others, own):
        return False
    before = _ratio(given[:first], result[:start])
    after = _ratio(given[last:], result[stop:])
    if any(one is not None and one.is_one for one in (before, after)):
        return False
    number = _product(given[first:last]).number
    if any(one is not None and not one.factors and number % one.number == 0 for one in (before, after)):
        return False  # (n, 4, m, 2) -> (2*n, 2*m, 2): the number belongs to the size, or to its neighbor
    if before is None and after is not None and _is_unnamed(after):  # (b*n, d, ?) -> (b, n, d) if the last size is 1
        return False
    gone: frozenset[_Factor] = frozenset()
    if result.count(1) > given.count(1):  # the author knows that a size is 1: one that has no name, or is written as 1
        existing, gone = frozenset(filter(_is_named, existing)), _factors(given) - _factors(result)
    return any(one is not None and _is_several(one, existing, gone) for one in (before, after))


def _may_divide(sizes: frozenset[_Factor], others: frozenset[_Factor]) -> bool:
    """Whether one of the sizes is made from one of the others, as the number of groups `n // size` of n is."""
    quotients = [one for one in sizes if isinstance(one, Atom) and one.kind in (FLOOR, EXACT)]
    return any(not others.isdisjoint(leaves(of_atom(one))) for one in quotients)


def _is_unnamed(ratio: _Product) -> bool:
    """Whether it is a single size without a name, which may be 1."""
    if ratio.number > 1 or ratio.factors.total() > 1:
        return False
    return any(isinstance(one, Atom) and one.kind == UNKNOWN and not _is_named(one) for one in ratio.factors)


def times_as_many(given: Sizes, result: Sizes) -> Multiple | None:
    """By which size the numbers of elements differ, if that is a product of sizes that the shapes have; else None."""
    for larger, smaller in ((given, result), (result, given)):
        left_over = [*(Counter(map(as_exact, larger)) - Counter(map(as_exact, smaller))).elements()]
        if len(left_over) == 1 and len(larger) == len(smaller) + 1 and isinstance(left_over[0], Dim):
            return Multiple(left_over[0], of_result=larger is result)
    ratio = _ratio(given, result)
    if ratio is None or ratio.is_one or not _is_several(ratio, _factors((*given, *result))):
        return None
    size = ratio.number * prod(one if isinstance(one, Dim) else _size_of(one) for one in ratio.factors.elements())
    return Multiple(size, of_result=_product(given).factors < _product(result).factors)


def _known_factors(sizes: Sequence[Size]) -> frozenset[_Factor]:
    """The factors that have a name or are a dimension: one of a product that has no name may be 1."""
    whole = {only_atom(terms_of(size)) for size in sizes if isinstance(size, Dim)}
    return frozenset(one for one in _factors(sizes) if one in whole or isinstance(one, Dim) or _is_named(one))


def _factors(sizes: Sequence[Size]) -> frozenset[_Factor]:
    """The factors of any of the sizes."""
    return frozenset[_Factor]().union(*map(_factors_of, sizes))


@lru_cache(maxsize=1 << 12)
def _factors_of(size: Size) -> frozenset[_Factor]:
    return frozenset(_product((size,)).factors)


def _size_of(factor: Atom) -> Size:
    return size_of({((factor, 1),): 1})


def _groups(sizes: Sizes) -> Iterator[tuple[Group, Size]]:
    """The groups of adjacent dimensions, each with the product of their sizes."""
    for start in range(len(sizes)):
        product: Size = 1
        for stop in range(start + 1, len(sizes) + 1):
            product = product * sizes[stop - 1]
            yield (start, stop), product


def _product(sizes: Sequence[Size]) -> _Product:
    """The product of sizes; a sum is a factor of its own."""
    whole: Size = 1
    others: Counter[_Factor] = Counter()
    for size in sizes:
        if isinstance(size, Dim) and len(terms_of(size)) > 1:
            others[size] += 1
        else:
            whole = whole * size
    terms = terms_of(whole)
    if len(terms) != 1:
        return _Product(0 if not terms else 1, others + Counter({whole: 1}) if isinstance(whole, Dim) else others)
    ((monomial, number),) = terms.items()
    return _Product(number, others + Counter(dict(monomial)))


def _ratio(sizes: Sequence[Size], others: Sequence[Size]) -> _Product | None:
    """The quotient of two products of sizes, the larger by the smaller; None if neither divides the other."""
    one, other = _product(sizes), _product(others)
    if one.number <= 0 or other.number <= 0:
        return None
    if other.factors <= one.factors and one.number % other.number == 0:
        return _Product(one.number // other.number, one.factors - other.factors)
    if one.factors <= other.factors and other.number % one.number == 0:
        return _Product(other.number // one.number, other.factors - one.factors)
    return None


def _is_several(ratio: _Product, existing: frozenset[_Factor], gone: frozenset[_Factor] = frozenset()) -> bool:
    """Whether it is a size that someone named, or a dimension of the input, not the rest of another size.

    gone: sizes that may be 1, because the result has a 1 in place of one of them.
    """
    if ratio.number > 1:
        return True
    return any(one not in gone and ((one in existing and not _is_rest(one)) or _is_named(one)) for one in ratio.factors)


def _is_rest(factor: _Factor) -> bool:
    """Whether it is a product of sizes divided by others, which may be 1, as that of an inferred -1."""
    return isinstance(factor, Atom) and factor.kind in (FLOOR, EXACT) and only_atom(factor.args[0]) is None


def _is_named(factor: _Factor) -> bool:
    return isinstance(factor, Atom) and factor.kind in (NAME, UNKNOWN) and factor.name not in ("", "?")
