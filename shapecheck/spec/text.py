"""Prints polynomials the way people write sizes: `2*d+1`, `(h+1)//2`, `b*t*d`, `h*(d//h)`, `t-1`.

The order depends on the names alone, so the same size reads the same in every run.
"""

from __future__ import annotations

from shapecheck.spec.terms import MAX, MIN, MOD, NAME, UNKNOWN, Atom, Monomial, Terms, is_constant

# Names are put in the order in which tensors' axes are usually written, by their first letter: batch, groups, time or
# length, channels, height, width, then the others, features last.
_READING_ORDER = {letter: rank for rank, letter in enumerate("bngtslqkchwxyzpmijordefvua")}

_LONGEST = 5_000
"""The most factors inside an atom whose text is written out."""

_Key = tuple[int, int, str, int]


def text_of(terms: Terms) -> str:
    """The expression, without outer parentheses."""
    written = ""
    for monomial, coefficient in sorted(terms.items(), key=_term_key):
        sign = "-" if coefficient < 0 else "+" if written else ""
        written += sign + _term_text(monomial, abs(coefficient), leading=sign == "-" and not written)
    return written or "0"


def _atom_key(atom: Atom) -> _Key:
    if atom.kind == NAME:
        return 0, _READING_ORDER.get(atom.name[:1].lower(), 99), atom.name, 0
    if atom.kind == UNKNOWN:
        return 1, 0, atom.name, atom.serial
    return 2, atom.kind, _atom_text(atom), 0


def _term_key(term: tuple[Monomial, int]) -> tuple[bool, bool, int, list[tuple[_Key, int]]]:
    monomial, coefficient = term
    powers = sorted((_atom_key(atom), -power) for atom, power in monomial)
    return coefficient < 0, not monomial, -sum(power for _, power in monomial), powers


def _term_text(monomial: Monomial, coefficient: int, *, leading: bool) -> str:
    factors = [_factor_text(atom, power) for atom, power in sorted(monomial, key=lambda one: _atom_key(one[0]))]
    if coefficient != 1 or not factors:
        factors.insert(0, str(coefficient))
    alone = len(factors) == 1 and not leading
    return factors[0] if alone else "*".join(f"({text})" if _is_division(text) else text for text in factors)


def _is_division(text: str) -> bool:
    """Whether a factor is `n//d` or `n%d`, the only ones that need parentheses in a product."""
    nesting = 0
    for character in text:
        nesting += (character == "(") - (character == ")")
        if character in "/%" and not nesting:
            return True
    return False


def _factor_text(atom: Atom, power: int) -> str:
    text = _atom_text(atom)
    if power == 1:
        return text
    return f"({text})**{power}" if _is_division(text) else f"{text}**{power}"


def _atom_text(atom: Atom) -> str:
    if not atom.text and atom.kind not in (NAME, UNKNOWN):
        atom.text = "..." if atom.weight > _LONGEST else _made_text(atom)
    return atom.text


def _made_text(atom: Atom) -> str:
    if atom.kind in (MAX, MIN):
        sizes = sorted(atom.args, key=_size_key)
        return f"{'max' if atom.kind == MAX else 'min'}({', '.join(map(text_of, sizes))})"
    dividend, divisor = atom.args
    below = text_of(divisor)
    simple = below.isdigit() or (len(divisor) == 1 and below.isidentifier())
    return f"{_dividend_text(dividend)}{'%' if atom.kind == MOD else '//'}{below if simple else f'({below})'}"


def _dividend_text(terms: Terms) -> str:
    text = text_of(terms)
    plain = len(terms) == 1 and not text.startswith("-") and not _is_division(text)
    return text if plain else f"({text})"


def _size_key(terms: Terms) -> tuple[bool, list[tuple[bool, bool, int, list[tuple[_Key, int]]]]]:
    return is_constant(terms), sorted(map(_term_key, terms.items()))
