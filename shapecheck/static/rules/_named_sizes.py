"""Sizes that an author has named."""

from __future__ import annotations

from shapecheck.spec import Dim, ShapeError, Size, same, substitute
from shapecheck.spec.dim import has_unnamed, is_variable, variables

_ORDINARY = (2, 3, 5, 8)


def is_named(size: Size) -> bool:
    """Whether a size consists of names: not a number, and nothing of it is unknown."""
    return isinstance(size, Dim) and not has_unnamed(size)


def have_other_names(left: Size, right: Size) -> bool:
    """Whether two sizes may differ and an author has named them differently.

    What is read twice from an unknown list, `widths[-1]`, has a new size each time, of one name. A size that is 1 for
    ordinary numbers, `min(t, 2048)//t`, is broadcast.
    """
    if is_ordinarily_one(left) or is_ordinarily_one(right):
        return False
    return is_named(left) and is_named(right) and str(left) != str(right) and same(left, right) is None


def is_ordinarily_one(size: Size) -> bool:
    """Whether a size that depends on one name is 1 for each of some numbers: `table[:t].view(-1, t, d)` has one."""
    names = variables(size)
    try:
        return len(names) == 1 and all(substitute(size, dict.fromkeys(names, number)) == 1 for number in _ORDINARY)
    except ShapeError:  # c//(c//8), which divides by zero for a small c
        return False


def are_two_names(left: Size, right: Size) -> bool:
    """Whether two sizes may differ and each is one name and nothing else."""
    return is_variable(left) and is_variable(right) and have_other_names(left, right)
