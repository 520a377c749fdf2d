"""The method resolution order of a class, computed from those of its bases (C3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from shapecheck.static.domain.external_bases import ExternalBase

_C = TypeVar("_C")


def order_of_bases(
    orders: Sequence[Sequence[_C | ExternalBase]], bases: Sequence[_C | ExternalBase]
) -> list[_C | ExternalBase]:
    """The bases of a class and theirs in method resolution order, given the order of each base.

    An unknown base may derive from any class from outside, whose places in the order are then uncertain. If the orders
    contradict each other, some base is not the class that it seems to be.
    """
    found = linearize(orders, bases)
    if found is None:
        found = [ExternalBase("?"), *dict.fromkeys(one for order in orders for one in order)]
    outside = [one for one in found if isinstance(one, ExternalBase)]
    if all(one.is_certain for one in outside):
        return found
    return [one.misplaced() if isinstance(one, ExternalBase) else one for one in found]


def linearize(orders: Iterable[Sequence[_C]], bases: Sequence[_C]) -> list[_C] | None:
    """Merges the orders of the bases; None if they contradict each other, or the order of the bases."""
    pending = [list(one) for one in (*orders, bases) if one]
    found: list[_C] = []
    while pending:
        later = {one for order in pending for one in order[1:]}
        head = next((order[0] for order in pending if order[0] not in later), None)
        if head is None:
            return None
        found.append(head)
        pending = [rest for order in pending if (rest := order[1:] if order[0] == head else order)]
    return found
