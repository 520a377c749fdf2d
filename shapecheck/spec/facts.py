"""Equalities and divisibilities of sizes, from asserts, calls and constructors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

from shapecheck.spec.compare import differs
from shapecheck.spec.dim import Dim, Size, leaves, quotient, same, size_of, substitute, terms_of
from shapecheck.spec.division import combine, multiply, rebuild, reduce, remainder
from shapecheck.spec.errors import ShapeError
from shapecheck.spec.terms import (
    EXACT,
    MAX,
    MIN,
    MOD,
    NAME,
    Atom,
    Monomial,
    Terms,
    add,
    common,
    content,
    is_constant,
    of_atom,
    only_atom,
    over,
    strip,
)
from shapecheck.spec.text import text_of

_Divisors = tuple[tuple[Terms, Terms], ...]

_CHAIN = 2  # how many facts of the kind "a divides b" are put one after the other
_MOST_DIVISORS = 12  # how many divisibilities are kept, the last ones: each is looked up in each of the others


class Facts:
    """An immutable set of learnt facts; `Facts()` is empty.

    An equality is kept as the value of one name, wherever it can be solved for one; others are not kept.
    """

    __slots__ = ("_applied", "_divisors", "_values")

    _values: dict[Dim, Size]
    _divisors: _Divisors
    _applied: dict[Dim, Size]
    """The results of `apply`, which is called with the same sizes again and again."""

    def __init__(self) -> None:
        self._values = {}
        self._divisors = ()
        self._applied = {}

    def learn_equal(self, left: Size, right: Size) -> Facts:
        """These facts and left == right. Raises ShapeError if that is false for all values of the names.

        Two axis names of one signature may be learnt to be equal, although they otherwise count as different.
        """
        left, right = self.apply(left), self.apply(right)
        difference = add(terms_of(left), terms_of(right), -1)
        if not difference:
            return self
        if differs(difference):
            raise ShapeError(f"{left} cannot be equal to {right}")
        remaining = only_atom(strip(difference, next(iter(difference.values())), ())) if len(difference) == 1 else None
        if remaining is not None and remaining.kind == MOD:
            dividend, divisor = remaining.args
            return self.learn_divides(size_of(divisor), size_of(dividend))
        solution = _solution(difference, terms_of(left))
        return self if solution is None else self._with_value(*solution)

    def learn_divides(self, divisor: Size, dividend: Size) -> Facts:
        """These facts and dividend % divisor == 0. Raises ShapeError if that is impossible."""
        fact = (terms_of(self.apply(divisor)), terms_of(self.apply(dividend)))
        left_over = remainder(fact[1], fact[0])
        if not left_over:
            return self
        _check(fact)
        return self._with(self._values, (*self._divisors, fact, *_consequences(*fact)))

    def apply(self, size: Size) -> Size:
        """The size with what is learnt put in: the same number in every assignment that the facts allow."""
        if not isinstance(size, Dim) or not (self._values or self._divisors):
            return size
        found = self._applied.get(size)
        if found is None:
            found = substitute(size, self._values)
            if self._divisors and isinstance(found, Dim):
                found = size_of(_exact(terms_of(found), self._divisors))
            self._applied[size] = found
        return found

    def same(self, left: Size, right: Size) -> bool | None:
        """`same` of the sizes with what is learnt put in."""
        return same(self.apply(left), self.apply(right))

    def _with_value(self, name: Dim, value: Size) -> Facts:
        added = {name: value}
        values = {key: substitute(known, added) for key, known in self._values.items()} | added
        divisors = tuple((_put(divisor, added), _put(dividend, added)) for divisor, dividend in self._divisors)
        for fact in divisors:
            _check(fact)
        return self._with(values, divisors)

    @staticmethod
    def _with(values: dict[Dim, Size], divisors: _Divisors) -> Facts:
        facts = Facts()
        facts._values = values
        facts._divisors = divisors[-_MOST_DIVISORS:]
        return facts


def _put(terms: Terms, values: dict[Dim, Size]) -> Terms:
    return terms_of(substitute(size_of(terms), values))


def _check(fact: tuple[Terms, Terms]) -> None:
    divisor, dividend = fact
    if differs(remainder(dividend, divisor)):
        raise ShapeError(f"{text_of(dividend)} cannot be divisible by {text_of(divisor)}")


def _consequences(divisor: Terms, dividend: Terms) -> Iterator[tuple[Terms, Terms]]:
    """That p divides n/m says that p*m divides n."""
    atom = only_atom(dividend)
    if atom is not None and atom.kind == EXACT:
        yield multiply(divisor, atom.args[1]), atom.args[0]


def _solution(difference: Terms, left: Terms) -> tuple[Dim, Size] | None:
    """The name, and its value, that make the difference 0; None when it is solved for no name."""
    shared = tuple((atom, power) for atom, power in common(difference) if _is_positive(atom))
    terms = strip(difference, content(difference), shared)
    choices = [
        (_rank(terms[monomial], rest, atom, only_atom(left)), monomial, atom, rest)
        for monomial, atom, rest in _solvable(terms)
    ]
    if not choices:
        return None
    _, monomial, atom, rest = min(choices, key=itemgetter(0))
    others = {key: value for key, value in terms.items() if key != monomial}
    name = size_of(of_atom(atom))
    assert isinstance(name, Dim)
    return name, quotient(size_of(others), size_of({rest: -terms[monomial]}))


def _solvable(terms: Terms) -> Iterator[tuple[Monomial, Atom, Monomial]]:
    """(monomial, name, the rest of the monomial) for each name that appears once in terms, with a factor above 0."""
    uses = Counter(atom for monomial in terms for atom in leaves({monomial: 1}))
    for monomial in terms:
        for atom, power in monomial:
            rest = over(monomial, ((atom, 1),)) or ()
            once = not atom.args and power == 1 and uses[atom] == 1 and atom not in leaves({rest: 1})
            if once and all(_is_positive(other) for other, _ in rest):
                yield monomial, atom, rest


def _is_positive(atom: Atom) -> bool:
    return atom.low is not None and atom.low >= 1


def _rank(coefficient: int, rest: Monomial, atom: Atom, left: Atom | None) -> tuple[bool, bool, bool, bool, bool, str]:
    """Least is best: names without a factor, among them unknowns, then free names, then the name on the left."""
    last_first = "".join(chr(0x10FFFF - ord(character)) for character in atom.name)
    return bool(rest), abs(coefficient) != 1, atom.kind == NAME, atom.scope != "", left is not atom, last_first


def _exact(terms: Terms, divisors: _Divisors) -> Terms:
    """Terms with n//d as an exact quotient and n%d as 0 where d is known to divide n."""

    def compound(atom: Atom, args: list[Terms]) -> Terms:
        if atom.kind not in (MAX, MIN, EXACT) and _divides(args[1], args[0], divisors, _CHAIN):
            return {} if atom.kind == MOD else combine(EXACT, args)
        return combine(atom.kind, args)

    return rebuild(terms, of_atom, compound)


def _divides(divisor: Terms, dividend: Terms, divisors: _Divisors, chain: int) -> bool:
    """Whether the facts say that `divisor` divides `dividend`."""
    atom = only_atom(dividend)
    if atom is not None and atom.kind == EXACT:
        return _divides(multiply(divisor, atom.args[1]), atom.args[0], divisors, chain)
    rest = dividend
    for known, multiple in divisors:
        if leaves(multiple).isdisjoint(leaves(rest)) and not is_constant(multiple):
            continue  # a multiple of it is no part of the rest
        if not remainder(known, divisor) or (chain and _divides(divisor, known, divisors, chain - 1)):
            rest = reduce(rest, multiple)[1]
    return not remainder(rest, divisor)
