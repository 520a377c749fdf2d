"""Symbolic integers: the sizes of tensors.

A `Size` is an `int` when it is constant and a `Dim` when it is not. A Dim is a polynomial with integer coefficients
over names and opaque terms (floor division, exact quotient, remainder, maximum, minimum), always in normal form, so
equal Dims are equal sizes. The reverse does not hold: ask `same`, which answers True, False or None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shapecheck.spec import bounds, compare
from shapecheck.spec.caching import cached
from shapecheck.spec.division import (
    cancel_common,
    combine,
    divide,
    extreme,
    multiply,
    power_of,
    rebuild,
    remainder,
    settle,
)
from shapecheck.spec.pickled import frozen, thawed
from shapecheck.spec.terms import (
    EXACT,
    FLOOR,
    MAX,
    MIN,
    MOD,
    NAME,
    UNKNOWN,
    Atom,
    Monomial,
    Terms,
    add,
    atoms,
    constant,
    named_atom,
    of_atom,
    only_atom,
    unknown_atom,
)
from shapecheck.spec.text import text_of

_LONGEST = 60
"""Characters of a size in a message."""


class Dim:
    """A size that is not constant. Made by `axis`, `unknown` and arithmetic, never directly."""

    __slots__ = ("_hash", "_terms", "_text")

    _terms: Terms
    _hash: int
    _text: str

    @property
    def terms(self) -> Terms:
        """The polynomial, for the modules of this package; not to be changed."""
        return self._terms

    @property
    def name(self) -> str:
        """The name of a size that is one plain name."""
        atom = only_atom(self._terms)
        if atom is None or atom.kind not in (NAME, UNKNOWN):
            raise AttributeError(f"{self} is not a plain name")
        return atom.name

    @property
    def scope(self) -> str:
        """The scope of a size that is one plain name; "" for an unknown."""
        atom = only_atom(self._terms)
        if atom is None or atom.args:
            raise AttributeError(f"{self} is not a plain name")
        return atom.scope

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            self._text = text_of(self._terms)
            return self._text

    def __format__(self, specification: str) -> str:
        """The text in an f-string, as messages use it: a long expression is elided."""
        text = str(self)
        return format(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...", specification)

    def __repr__(self) -> str:
        return f"Dim({self})"

    def __eq__(self, other: object) -> bool:
        return self is other or (other.__class__ is Dim and self._terms == other._terms)

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self._terms.items()))
            return self._hash

    def __copy__(self) -> Dim:
        return self

    def __deepcopy__(self, memo: object) -> Dim:
        return self

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _unpickled, (frozen(self._terms),)

    def __pos__(self) -> Dim:
        return self

    def __neg__(self) -> Dim:
        return _dim({monomial: -coefficient for monomial, coefficient in self._terms.items()})

    def __add__(self, other: Size) -> Size:
        if isinstance(other, int):
            return _shifted(self, other)
        return _sum(self._terms, other._terms) if other.__class__ is Dim else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Size) -> Size:
        if isinstance(other, int):
            return _shifted(self, -other)
        return _difference(self, other) if other.__class__ is Dim else NotImplemented

    def __rsub__(self, other: int) -> Size:
        return _shifted(-self, other) if isinstance(other, int) else NotImplemented

    def __mul__(self, other: Size) -> Size:
        return _product(self, other) if _is_size(other) else NotImplemented

    __rmul__ = __mul__

    def __floordiv__(self, other: Size) -> Size:
        return _divided(self, other, FLOOR) if _is_size(other) else NotImplemented

    def __rfloordiv__(self, other: int) -> Size:
        return _divided(other, self, FLOOR) if _is_size(other) else NotImplemented

    def __mod__(self, other: Size) -> Size:
        return _divided(self, other, MOD) if _is_size(other) else NotImplemented

    def __rmod__(self, other: int) -> Size:
        return _divided(other, self, MOD) if _is_size(other) else NotImplemented

    def __pow__(self, power: int) -> Size:
        if not isinstance(power, int) or power < 0:
            return NotImplemented
        return size_of(power_of(self._terms, power))


Size = int | Dim


def _unpickled(parts: tuple[object, ...]) -> Size:
    return size_of(thawed(parts))


def _dim(terms: Terms) -> Dim:
    dim = Dim.__new__(Dim)
    dim._terms = terms
    return dim


def size_of(terms: Terms) -> Size:
    """The int or Dim that terms in normal form represent."""
    if len(terms) > 1 or (terms and () not in terms):
        dim = Dim.__new__(Dim)
        dim._terms = terms
        return dim
    return terms[()] if terms else 0


def terms_of(size: Size) -> Terms:
    """The polynomial of a size."""
    return size._terms if isinstance(size, Dim) else constant(int(size))


def _is_size(value: object) -> bool:
    return isinstance(value, (int, Dim))


def _shifted(dim: Dim, offset: int) -> Dim:
    terms = dim._terms.copy()
    value = terms.get((), 0) + offset
    if value:
        terms[()] = value
    elif () in terms:
        del terms[()]
    return _dim(terms)


def _sum(left: Terms, right: Terms) -> Size:
    return size_of(settle(add(left, right)))


def _difference(left: Dim, right: Dim) -> Size:
    return size_of(settle(add(left._terms, right._terms, -1)))


@cached(1 << 12)
def _product(left: Dim, right: Size) -> Size:
    return size_of(multiply(left._terms, terms_of(right)))


@cached(1 << 12)
def _divided(dividend: Size, divisor: Size, kind: int) -> Size:
    if kind == MOD:
        return size_of(remainder(terms_of(dividend), terms_of(divisor)))
    return size_of(settle(divide(terms_of(dividend), terms_of(divisor), kind)))


@cached(1 << 12)
def axis(name: str, scope: str = "axes") -> Dim:
    """A named size, at least 1.

    Two names of one non-empty scope are different sizes (the axes of one annotated signature). With `scope=""` the name
    is free: it proves nothing against another name.
    """
    return _dim(of_atom(named_atom(name, scope)))


def unknown(hint: str = "?", low: int | None = None) -> Dim:
    """A fresh unknown integer, equal only to itself; `low` is its least value, if one is known."""
    return _dim(of_atom(unknown_atom(hint, low)))


def quotient(dividend: Size, divisor: Size) -> Size:
    """dividend / divisor where the caller knows that there is no remainder: divisor * quotient(n, divisor) is n."""
    return _divided(dividend, divisor, EXACT)


@cached(1 << 12)
def without_common_factor(left: Size, right: Size) -> tuple[Size, Size]:
    """Both divided by what all of their terms have in common: 96*b*t and 100*t give 24*b and 25. Numbers stay."""
    if type(left) is int or type(right) is int:
        return left, right
    reduced = cancel_common(terms_of(left), terms_of(right))
    return size_of(reduced[0]), size_of(reduced[1])


def total(sizes: Iterable[Size]) -> Size:
    """The sum of the sizes, in time linear in their length."""
    terms: dict[Monomial, int] = {}
    for size in sizes:
        for monomial, coefficient in terms_of(size).items():
            terms[monomial] = terms.get(monomial, 0) + coefficient
    return size_of(settle({monomial: coefficient for monomial, coefficient in terms.items() if coefficient}))


def maximum(*sizes: Size) -> Size:
    """The greatest of the sizes (one at least)."""
    return _extreme(MAX, sizes)


def minimum(*sizes: Size) -> Size:
    """The least of the sizes (one at least)."""
    return _extreme(MIN, sizes)


@cached(1 << 12)
def _extreme(kind: int, sizes: tuple[Size, ...]) -> Size:
    numbers = [int(size) for size in sizes if not isinstance(size, Dim)]
    if numbers:
        number = max(numbers) if kind == MAX else min(numbers)
        sizes = (*(size for size in sizes if isinstance(size, Dim)), number)
    return size_of(extreme(kind, [terms_of(size) for size in sizes]))


def same(left: Size, right: Size) -> bool | None:
    """True when the sizes are equal, False when they are provably different, None when neither is known."""
    if left is right or left == right:
        return True
    if isinstance(left, Dim) or isinstance(right, Dim):
        return _same(left, right)
    return False


@cached(1 << 12)
def _same(left: Size, right: Size) -> bool | None:
    return compare.equal(terms_of(left), terms_of(right))


@cached(1 << 12)
def at_least(left: Size, right: Size) -> bool | None:
    """Whether left >= right: True or False if that holds for every assignment, None if that is not known."""
    return bounds.at_least(terms_of(left), terms_of(right))


def is_variable(size: Size) -> bool:
    """Whether the size is one plain name or unknown and nothing else."""
    if not isinstance(size, Dim):
        return False
    atom = only_atom(size._terms)
    return atom is not None and not atom.args


def variables(size: Size) -> frozenset[Dim]:
    """The plain names and unknowns anywhere in the size."""
    if not isinstance(size, Dim):
        return frozenset()
    return frozenset(_dim(of_atom(atom)) for atom in leaves(size._terms))


def has_unnamed(size: Size) -> bool:
    """Whether the size depends on an unknown that has no name, so that it may be 1 or equal another one by chance."""
    return any(one.name == "?" for one in variables(size))


def leaves(terms: Terms) -> set[Atom]:
    """The names and unknowns anywhere in terms."""
    found: set[Atom] = set()
    for atom in atoms(terms):
        if atom.args:
            found.update(*(leaves(size) for size in atom.args))
        else:
            found.add(atom)
    return found


def substitute(size: Size, mapping: Mapping[Dim, Size]) -> Size:
    """The size with other sizes in the place of plain names, all at once; the keys are plain names or unknowns."""
    if not isinstance(size, Dim) or not mapping:
        return size
    values: dict[Atom, Terms] = {}
    for key, value in mapping.items():
        atom = only_atom(key._terms)
        if atom is None or atom.args:
            raise ValueError(f"{key} is not a plain name")
        values[atom] = terms_of(value)
    if values.keys().isdisjoint(leaves(size._terms)):
        return size

    def value_of(atom: Atom) -> Terms:
        return values[atom] if atom in values else of_atom(atom)

    return size_of(rebuild(size._terms, value_of, lambda atom, args: combine(atom.kind, args)))
