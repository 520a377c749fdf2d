"""Polynomials as plain tuples, to send sizes to another process.

Names find themselves again there. An unknown is equal to itself after the way back, and to nothing else.
"""

from __future__ import annotations

import os
import time
from typing import Any
from weakref import WeakValueDictionary

from shapecheck.spec.terms import NAME, UNKNOWN, Atom, Terms, add_atom, find_atom, named_atom, unknown_atom

_STARTED = time.time_ns()
_unknowns: WeakValueDictionary[object, Atom] = WeakValueDictionary()


def frozen(terms: Terms) -> tuple[Any, ...]:
    """The polynomial in tuples of ints and strings."""
    return tuple(
        (coefficient, tuple((_frozen_atom(atom), power) for atom, power in monomial))
        for monomial, coefficient in terms.items()
    )


def thawed(parts: tuple[Any, ...]) -> Terms:
    """The polynomial that `frozen` took apart."""
    terms: Terms = {}
    for coefficient, powers in parts:
        monomial = [(_thawed_atom(*atom), power) for atom, power in powers]
        terms[tuple(sorted(monomial, key=lambda one: one[0].serial))] = coefficient
    return terms


def _frozen_atom(atom: Atom) -> tuple[Any, ...]:
    if atom.kind == UNKNOWN:
        # A forked process goes on with the same serial numbers: its own ones differ by the process.
        token = (os.getpid(), _STARTED, atom.serial)
        _unknowns[token] = atom
        return atom.kind, atom.name, token, atom.low
    if atom.kind == NAME:
        return atom.kind, atom.name, atom.scope, atom.low
    return atom.kind, "", tuple(frozen(terms) for terms in atom.args), atom.low


def _thawed_atom(kind: int, name: str, rest: Any, low: int | None) -> Atom:
    if kind == NAME:
        return named_atom(name, rest)
    if kind == UNKNOWN:
        found = _unknowns.get(rest)
        if found is None:
            found = _unknowns[rest] = unknown_atom(name, low)
        return found
    args = tuple(thawed(parts) for parts in rest)
    key, atom = find_atom(kind, args)
    return add_atom(key, kind, args, low) if atom is None else atom
