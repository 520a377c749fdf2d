"""The positions of packages in the picture of imports, in rows, and of the lines between them.

One line leads to each package, and all packages that import it join that line. The line has a place in each row that it
passes. The rows are ordered to have few crossings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

BOX, HEIGHT, ROW = 112, 34, 104
"""Width and height of a box, and from one row to the next."""
_PASS, _GAP = 6, 18
"""Width of a line, and the space between neighbours in a row."""


@dataclass(eq=False)
class Place:
    """A box, or the place where a line passes a row: `package` is the package that the line leads to."""

    package: str
    row: int
    box: bool
    x: float = 0.0
    """Of its middle."""
    above: list[Place] = field(default_factory=list)
    below: list[Place] = field(default_factory=list)

    @property
    def half(self) -> float:
        """Half of its width."""
        return (BOX if self.box else _PASS) / 2


def laid_out(rows: Sequence[Sequence[str]], imports: Iterable[tuple[str, str]]) -> list[list[Place]]:
    """The places of each row from left to right, the leftmost edge at 0."""
    places = _joined(rows, sorted(imports))
    for _ in range(24):
        _order(places)
    for _ in range(60):
        _settle(places)
    left = min(row[0].x - row[0].half for row in places)
    for place in (place for row in places for place in row):
        place.x -= left
    return places


def _joined(rows: Sequence[Sequence[str]], imports: Iterable[tuple[str, str]]) -> list[list[Place]]:
    places = [[Place(package, number, True) for package in row] for number, row in enumerate(rows)]
    boxes = {place.package: place for row in places for place in row}
    passes: dict[tuple[str, int], Place] = {}
    for importer, imported in imports:
        start, end = boxes[importer], boxes[imported]
        way = [start]
        for row in range(start.row + 1, end.row):
            if (imported, row) not in passes:
                passes[imported, row] = Place(imported, row, False)
                places[row].append(passes[imported, row])
            way.append(passes[imported, row])
        for upper, lower in pairwise([*way, end]):
            if lower not in upper.below:
                upper.below.append(lower)
                lower.above.append(upper)
    return places


def _order(places: list[list[Place]]) -> None:
    """Sort each row by the places it is joined to, downwards, then upwards."""
    for row in places:
        _number(row)
    for row in places[1:]:
        row.sort(key=lambda place: _mean(place.above, place.x))
        _number(row)
    for row in places[-2::-1]:
        row.sort(key=lambda place: _mean(place.below, place.x))
        _number(row)


def _number(row: list[Place]) -> None:
    for number, place in enumerate(row):
        place.x = number / max(1, len(row) - 1)


def _settle(places: list[list[Place]]) -> None:
    """Move each place towards the middle of the places it is joined to, as far as its row has room."""
    for row in places:
        wanted = [_mean(place.above + place.below, place.x) for place in row]
        right, left = list(wanted), list(wanted)
        for number in range(1, len(row)):
            right[number] = max(wanted[number], right[number - 1] + _distance(row[number - 1], row[number]))
        for number in reversed(range(len(row) - 1)):
            left[number] = min(wanted[number], left[number + 1] - _distance(row[number], row[number + 1]))
        for place, one, other in zip(row, right, left, strict=True):
            place.x = (one + other) / 2


def _mean(places: Sequence[Place], otherwise: float) -> float:
    return sum(place.x for place in places) / len(places) if places else otherwise


def _distance(one: Place, other: Place) -> float:
    return one.half + other.half + _GAP
