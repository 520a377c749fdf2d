"""Products, floor divisions, exact quotients and remainders of polynomials, in normal form."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from shapecheck.spec.bounds import at_least, is_between, least_of_division, least_of_extreme, lower
from shapecheck.spec.errors import ShapeError
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
    add_atom,
    atoms,
    common,
    constant,
    content,
    find_atom,
    is_constant,
    of_atom,
    only_atom,
    order,
    over,
    product,
    scale,
    strip,
    times,
    unknown_atom,
)
from shapecheck.spec.text import text_of

_MAX_STEPS = 200
_MAX_POWER = 64
_MAX_COMPARED = 16


def multiply(left: Terms, right: Terms) -> Terms:
    """left * right; an unknown when the result is too long to work with."""
    total = product(left, right)
    return of_atom(unknown_atom()) if total is None else settle(total)


def settle(terms: Terms) -> Terms:
    """Cancels exact quotients against what they are multiplied by: h * quotient(d, h) is d."""
    settled = True
    while settled:
        settled = False
        for atom in [atom for atom in atoms(terms) if atom.kind == EXACT]:
            cancel = _cancel_factor if len(atom.args[1]) == 1 else _cancel_sum
            reduced = cancel(terms, atom)
            if reduced is not None:
                terms, settled = reduced, True
                break
    return terms


def _cancel_factor(terms: Terms, atom: Atom) -> Terms | None:
    """Cancels what a quotient's divisor, one monomial, has in common with a monomial that contains the quotient."""
    dividend, divisor = atom.args
    ((below, number),) = divisor.items()
    for monomial, coefficient in terms.items():
        rest = over(monomial, ((atom, 1),))
        if rest is None:
            continue
        shared, factor = common((rest, below)), gcd(coefficient, number)
        if not shared and factor == 1:
            continue
        quotient = divide(dividend, strip(divisor, factor, shared), EXACT)
        raised = product(strip({rest: coefficient}, factor, shared), quotient)
        if raised is not None:
            return add({key: value for key, value in terms.items() if key != monomial}, raised)
    return None


def _cancel_sum(terms: Terms, atom: Atom) -> Terms | None:
    """Cancels a quotient's divisor, several terms, where the quotient is multiplied by a multiple of them."""
    dividend, divisor = atom.args
    inside: Terms = {}
    outside: Terms = {}
    for monomial, coefficient in terms.items():
        rest = over(monomial, ((atom, 1),))
        (outside if rest is None else inside)[monomial if rest is None else rest] = coefficient
    whole, rest_terms = _take_multiples(inside, divisor)
    if not whole:
        return None
    cancelled, kept = product(whole, dividend), product(rest_terms, of_atom(atom))
    return None if cancelled is None or kept is None else add(add(outside, cancelled), kept)


def _take_multiples(terms: Terms, divisor: Terms) -> tuple[Terms, Terms]:
    """(whole, rest) with terms == whole * divisor + rest, where rest has no term that terms has not."""
    lead = max(divisor, key=order)
    whole: Terms = {}
    rest = terms
    for monomial in sorted(terms, key=order, reverse=True):
        factor = over(monomial, lead)
        if factor is None:
            continue
        needed = {times(factor, key): value for key, value in divisor.items()}
        multiples = [_multiple(rest.get(key, 0), value) for key, value in needed.items()]
        number = min(multiples) if multiples[0] > 0 else max(multiples)
        if number * multiples[0] <= 0:
            continue
        whole = add(whole, {factor: number})
        rest = add(rest, needed, -number)
    return whole, rest


def _multiple(number: int, divisor: int) -> int:
    """Number / divisor, rounded to 0."""
    whole = abs(number) // abs(divisor)
    return whole if (number < 0) == (divisor < 0) else -whole


def _exact_division(dividend: Terms, divisor: Terms) -> Terms | None:
    """The polynomial that `divisor` is multiplied by to give `dividend`, None when there is none."""
    lead = max(divisor, key=order)
    whole: Terms = {}
    for _ in range(_MAX_STEPS):
        if not dividend:
            return whole
        top = max(dividend, key=order)
        factor = over(top, lead)
        number, rest = divmod(dividend[top], divisor[lead])
        if factor is None or rest:
            return None
        step = product({factor: number}, divisor)
        assert step is not None
        whole = add(whole, {factor: number})
        dividend = add(dividend, step, -1)
    return None


def reduce(dividend: Terms, divisor: Terms) -> tuple[Terms, Terms]:
    """(whole, rest): dividend == whole * divisor + rest with the plain multiples of the divisor taken out."""
    if len(divisor) > 1:
        exact = _exact_division(dividend, divisor)
        return (exact, {}) if exact is not None else _take_multiples(dividend, divisor)
    ((below, number),) = divisor.items()
    whole: Terms = {}
    rest: Terms = {}
    for monomial, coefficient in dividend.items():
        factor = over(monomial, below)
        if factor is None:
            rest[monomial] = coefficient
            continue
        # The constant is reduced into [0, divisor), other coefficients towards 0: (a - b)//2 stays as it is written.
        times_in = coefficient // number if not monomial else _multiple(coefficient, number)
        if times_in:
            whole[factor] = times_in
        if coefficient != times_in * number:
            rest[monomial] = coefficient - times_in * number
    return whole, rest


def cancel_common(dividend: Terms, divisor: Terms) -> tuple[Terms, Terms, int, Monomial]:
    """Both without their common factor, its integer and its monomial; the divisor's sign goes to the dividend."""
    factor = gcd(content(dividend), content(divisor))
    shared = common((*divisor, *dividend))
    if all(value < 0 for value in divisor.values()):
        factor = -factor
    if factor != 1 or shared:
        dividend, divisor = strip(dividend, factor, shared), strip(divisor, factor, shared)
    return dividend, divisor, factor, shared


def divide(dividend: Terms, divisor: Terms, kind: int) -> Terms:
    """Floor division (kind FLOOR), or the quotient of what is known to divide (EXACT).

    Raises ShapeError where the divisor is the constant 0.
    """
    _refuse_zero(dividend, divisor, "//")
    if not dividend:
        return {}
    dividend, divisor, _, _ = cancel_common(dividend, divisor)
    whole, rest = reduce(dividend, divisor)
    if whole:
        return add(whole, divide(rest, divisor, kind))
    if kind == FLOOR and is_constant(divisor):
        rest, divisor = _without_content(rest, divisor[()])
    if not rest or (is_constant(rest) and is_constant(divisor)):
        return {}
    nested = _nested(rest, divisor, kind)
    if nested is not None:
        return nested
    if kind == FLOOR and not (is_constant(divisor) and _is_plain(rest)):
        if is_between(rest, {}, divisor):
            return {}
        if is_between(rest, scale(divisor, -1), {}):
            return constant(-1)
    return of_atom(_division_atom(kind, rest, divisor))


def _refuse_zero(dividend: Terms, divisor: Terms, sign: str) -> None:
    if not divisor:
        text = text_of(dividend)
        raise ShapeError(f"division by zero in {text if text.isalnum() else f'({text})'}{sign}0")


def _without_content(rest: Terms, number: int) -> tuple[Terms, Terms]:
    """Cancels what the divisor and all but the constant have in common: (2*h + 1)//4 is h//2."""
    factor = gcd(number, *(value for monomial, value in rest.items() if monomial))
    return {key: value // factor for key, value in rest.items() if value // factor}, constant(number // factor)


def _nested(rest: Terms, divisor: Terms, kind: int) -> Terms | None:
    """(n//m + c)//d as (n + c*m)//(m*d), which holds for every d of at least 1."""
    shift = rest.get((), 0)
    atom = only_atom({key: value for key, value in rest.items() if key}) if shift else only_atom(rest)
    if atom is None or atom.kind not in (EXACT, kind) or (lower(divisor) or 0) < 1:
        return None
    dividend, inner = atom.args
    below = product(inner, divisor)
    return None if below is None else divide(add(dividend, inner, shift), below, kind)


def _is_plain(terms: Terms) -> bool:
    """Whether no atom has an upper bound."""
    return all(atom.kind not in (MOD, MIN, MAX) for atom in atoms(terms))


def _division_atom(kind: int, dividend: Terms, divisor: Terms) -> Atom:
    args = (dividend, divisor)
    key, atom = find_atom(kind, args)
    return atom or add_atom(key, kind, args, least_of_division(kind, dividend, divisor))


def remainder(dividend: Terms, divisor: Terms) -> Terms:
    """Python's %, with the sign of the divisor. Raises ShapeError where the divisor is the constant 0."""
    _refuse_zero(dividend, divisor, "%")
    if not dividend:
        return {}
    dividend, divisor, factor, shared = cancel_common(dividend, divisor)
    return multiply({shared: factor}, _plain_remainder(dividend, divisor))


def _plain_remainder(dividend: Terms, divisor: Terms) -> Terms:
    _, rest = reduce(_without_remainders(dividend, divisor), divisor)
    if is_constant(divisor):
        number = divisor[()]
        factor = gcd(number, *(value for monomial, value in rest.items() if monomial))
        if factor > 1:
            inner = {key: value // factor for key, value in rest.items() if value // factor}
            left_over = constant(rest.get((), 0) % factor)
            return add(left_over, remainder(inner, constant(number // factor)), factor)
    if not rest or (is_constant(rest) and is_constant(divisor)):
        return rest
    if is_between(rest, {}, divisor):
        return rest
    if is_between(rest, scale(divisor, -1), {}):
        return add(rest, divisor)
    return of_atom(_division_atom(MOD, rest, divisor))


def _without_remainders(terms: Terms, divisor: Terms) -> Terms:
    """Takes n for n % m where the divisor divides m."""
    for monomial, coefficient in list(terms.items()):
        atom = only_atom({monomial: 1})
        if atom is not None and atom.kind == MOD and not reduce(atom.args[1], divisor)[1]:
            terms = add(add(terms, of_atom(atom), -coefficient), atom.args[0], coefficient)
    return terms


def power_of(terms: Terms, power: int) -> Terms:
    """terms ** power; an unknown when the result is too long to work with."""
    if power and terms == ONE:
        return terms
    total: Terms | None = ONE if power <= _MAX_POWER else None
    for _ in range(min(power, _MAX_POWER)):
        total = None if total is None else product(total, terms)
    return of_atom(unknown_atom()) if total is None else settle(total)


def extreme(kind: int, sizes: list[Terms]) -> Terms:
    """The maximum (kind MAX) or minimum (MIN) of at least one size; an unknown where there are too many."""
    flat: list[Terms] = []
    for size in sizes:
        atom = only_atom(size)
        for part in atom.args if atom is not None and atom.kind == kind else (size,):
            if part not in flat:
                flat.append(part)
    if len(flat) > _MAX_COMPARED:
        return of_atom(unknown_atom())
    kept: list[Terms] = []
    for size in flat:
        if any(_wins(kind, other, size) for other in kept):
            continue
        kept = [other for other in kept if not _wins(kind, size, other)] + [size]
    if len(kept) == 1:
        return kept[0]
    args = tuple(kept)
    key, atom = find_atom(kind, args)
    return of_atom(atom or add_atom(key, kind, args, least_of_extreme(kind, args)))


def _wins(kind: int, one: Terms, other: Terms) -> bool:
    """Whether `one` is proved to be on the winning side of `other`, or equal to it."""
    return at_least(one, other) is True if kind == MAX else at_least(other, one) is True


def replaced(terms: Terms, value_of: Callable[[Atom], Terms]) -> Terms:
    """Terms with the value of every atom at the top in its place."""
    total: Terms = {}
    for monomial, coefficient in terms.items():
        raised: Terms = {(): coefficient}
        for atom, power in monomial:
            value = value_of(atom)
            raised = multiply(raised, power_of(value, power) if power > 1 else value)
        total = add(total, raised)
    return settle(total)


def rebuild(terms: Terms, leaf: Callable[[Atom], Terms], compound: Callable[[Atom, list[Terms]], Terms]) -> Terms:
    """Terms with every name or unknown as `leaf` gives it and every other atom as `compound` makes it of its args."""

    def value_of(atom: Atom) -> Terms:
        args = [rebuild(size, leaf, compound) for size in atom.args]
        return compound(atom, args) if args else leaf(atom)

    return replaced(terms, value_of)


def combine(kind: int, args: list[Terms]) -> Terms:
    """The value of an atom of `kind` with other args."""
    if kind in (MAX, MIN):
        return extreme(kind, args)
    dividend, divisor = args
    return remainder(dividend, divisor) if kind == MOD else divide(dividend, divisor, kind)
