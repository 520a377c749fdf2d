"""Divisions that are provably exact."""

from __future__ import annotations

from shapecheck.spec.caching import cached
from shapecheck.spec.dim import Dim, Size, size_of, terms_of
from shapecheck.spec.division import combine, rebuild
from shapecheck.spec.terms import EXACT, FLOOR, Atom, Terms, of_atom


@cached(1 << 12)
def as_exact(size: Size) -> Size:
    """A product with each of its floor divisions as an exact quotient: `h*(d//h)` is then `d`.

    For sizes of which the caller knows that no division in them leaves a remainder; sums are left as they are.
    """
    if not isinstance(size, Dim) or len(size.terms) != 1:
        return size
    return size_of(rebuild(terms_of(size), of_atom, _exact))


def _exact(atom: Atom, args: list[Terms]) -> Terms:
    return combine(EXACT if atom.kind == FLOOR else atom.kind, args)
