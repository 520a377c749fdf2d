"""Runs of unknown length in shapes, and how those of different shapes are related."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from shapecheck.spec.dim import Size, unknown
from shapecheck.spec.errors import Unanswered

if TYPE_CHECKING:
    from shapecheck.spec.shape import Shape

MOST_DIMENSIONS = 256
"""How many dimensions are kept one by one."""
_MOST_BROADCASTS = 8


class VariadicAxes:
    """Variadic axes, a run of unknown length: `...`, or `*batch` when it has a name.

    Two runs are the same axes only where they are the same object or have the same name and scope.
    """

    __slots__ = ("_broadcasts", "_cut", "_hidden", "_items", "_longer", "_sizes", "_whole", "name", "scope")

    _broadcasts: list[tuple[tuple[Size, ...], Shape, Shape]]
    _cut: dict[tuple[int, int], VariadicAxes]
    _hidden: dict[tuple[int, tuple[Size, ...]], Size]
    _items: dict[Hashable, VariadicAxes]
    _whole: tuple[VariadicAxes, int, int]
    _longer: tuple[VariadicAxes, int]
    _sizes: dict[int, tuple[Size, ...]]

    def __init__(self, name: str | None = None, scope: str = "axes") -> None:
        self.name = name
        self.scope = scope

    @property
    def is_part(self) -> bool:
        """Whether they are the rest of other axes, or the axes of an item."""
        return hasattr(self, "_whole")

    @property
    def is_rest(self) -> bool:
        """Whether they are the rest of other axes."""
        return self.is_part and self._whole[0] is not self

    @property
    def whole(self) -> tuple[VariadicAxes, int, int]:
        """The axes that these are the rest of, and how many of them are missing at either end."""
        return getattr(self, "_whole", (self, 0, 0))

    def without_ends(self, first: int, last: int) -> VariadicAxes:
        """The axes without so many at either end: the same object each time, whatever the order of the removals."""
        whole, before, after = self.whole
        counts = before + first, after + last
        try:
            cut = whole._cut
        except AttributeError:
            cut = whole._cut = {}
        found = cut.get(counts)
        if found is None:
            found = cut[counts] = VariadicAxes()
            found._whole = whole, *counts
        return found

    @property
    def longer_than(self) -> tuple[VariadicAxes, int] | None:
        """Other axes, and by how many these are more, or fewer if negative; None if that is unknown."""
        return getattr(self, "_longer", None)

    def longer(self, count: int) -> VariadicAxes:
        """Other axes of which there are so many more: a new object each time."""
        made = VariadicAxes()
        made._longer = self, count
        return made

    def note_broadcast(self, tail: tuple[Size, ...], one: Shape, other: Shape) -> None:
        """Records that these axes and a tail are the shape that two shapes broadcast to."""
        try:
            known = self._broadcasts
        except AttributeError:
            known = self._broadcasts = []
        if len(known) < _MOST_BROADCASTS:
            known.append((tail, one, other))

    @property
    def broadcasts(self) -> list[tuple[tuple[Size, ...], Shape, Shape]]:
        """The tails with which these axes are what two shapes broadcast to, and these shapes."""
        return getattr(self, "_broadcasts", [])

    def sizes(self, count: int) -> tuple[Size, ...]:
        """So many unknown sizes: the same ones each time."""
        try:
            known = self._sizes
        except AttributeError:
            known = self._sizes = {}
        return known.setdefault(count, hidden_sizes(count))

    def hidden_size(self, index: int, beyond: tuple[Size, ...]) -> Size:
        """The unknown size at an index that counts from an end of these axes: the same one each time.

        `beyond` are the sizes at the other end, which the index selects if these axes are too few.
        """
        try:
            known = self._hidden
        except AttributeError:
            known = self._hidden = {}
        key = index, beyond
        if key not in known:
            known[key] = unknown(low=0)
        return known[key]

    def of_item(self, key: Hashable) -> VariadicAxes:
        """The axes of an item if these may be those of a list of tensors: the same object for the same key."""
        try:
            items = self._items
        except AttributeError:
            items = self._items = {}
        found = items.get(key)
        if found is None:
            found = items[key] = VariadicAxes()
            found._whole = found, 0, 0
        return found

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, VariadicAxes)
            and self.name is not None
            and (self.name, self.scope) == (other.name, other.scope)
        )

    def __hash__(self) -> int:
        return id(self) if self.name is None else hash((self.name, self.scope))

    def __str__(self) -> str:
        return "..." if self.name is None else f"*{self.name}"

    __repr__ = __str__


def hidden_sizes(count: int) -> tuple[Size, ...]:
    """So many new unknown sizes."""
    if count > MOST_DIMENSIONS:
        raise Unanswered(f"{count} dimensions of a tensor of unknown rank")
    return tuple(unknown(low=0) for _ in range(count))
