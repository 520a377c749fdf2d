"""Integers, sizes, and sizes of axes that have elements."""

from __future__ import annotations

import pytest

from shapecheck.spec import unknown
from shapecheck.static.domain.sizes import is_integer, is_positive_size, is_size


@pytest.mark.parametrize(
    ("value", "integer", "size", "positive"),
    [
        (-1, True, False, False),
        (0, True, True, False),
        (3, True, True, True),
        (unknown(low=0), True, True, True),
        (True, False, False, False),
        (2.0, False, False, False),
        (None, False, False, False),
    ],
)
def test_what_is_a_size(value: object, integer: bool, size: bool, positive: bool) -> None:
    assert (is_integer(value), is_size(value), is_positive_size(value)) == (integer, size, positive)
