"""The type guards that the models of Python's library share."""

from __future__ import annotations

import pytest

from shapecheck.ops import Unknown
from shapecheck.spec import unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.models.python.type_guards import (
    are_integers,
    are_numbers,
    are_optional_integers,
    are_strings,
)


@pytest.mark.parametrize("value", [True, 1.0, "1", None, Unknown(), unknown()])
def test_only_integers_are_integers(value: Value) -> None:
    assert are_integers((3, -1))
    assert not are_integers((3, value))


@pytest.mark.parametrize("value", [True, 1.0, "1", Unknown(), unknown()])
def test_bounds_are_integers_or_none(value: Value) -> None:
    assert are_optional_integers((None, 3))
    assert not are_optional_integers((None, value))


@pytest.mark.parametrize("value", [1, None, b"b", Unknown()])
def test_only_strings_are_strings(value: Value) -> None:
    assert are_strings(["a", ""])
    assert not are_strings(["a", value])


@pytest.mark.parametrize("value", ["1", None, 1j, Unknown()])
def test_symbolic_sizes_are_numbers(value: Value) -> None:
    assert are_numbers((1, 2.5, True, unknown()))
    assert not are_numbers((1, value))
