"""Broadcasting a size with a part of it, as the part `[:t]` of a mask has."""

from __future__ import annotations

from shapecheck.spec.broadcast import broadcast_sizes
from shapecheck.spec.dim import axis, minimum

LENGTH, MOST = axis("t", ""), axis("most", "")


def test_a_size_broadcasts_with_the_least_of_it_and_another_one() -> None:
    part = minimum(LENGTH, MOST)
    assert broadcast_sizes(LENGTH, part) == LENGTH
    assert broadcast_sizes(part, LENGTH) == LENGTH


def test_a_size_that_is_not_part_of_the_other_is_not_known_to_be_smaller() -> None:
    found = broadcast_sizes(minimum(axis("s", ""), MOST), LENGTH)
    assert found not in (LENGTH, MOST)
