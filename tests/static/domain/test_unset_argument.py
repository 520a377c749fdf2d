"""An argument whose default is None is what the code puts in its place: a size, or a float."""

from __future__ import annotations

import pytest

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec, axis, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.join import join
from shapecheck.static.domain.unset_argument import UnsetArgument


def test_a_size_in_its_place_makes_it_a_size_of_its_own() -> None:
    unset = UnsetArgument("hidden")
    assert join(unset, axis("dim")) is unset.size
    assert join(axis("dim"), unset) is unset.size
    assert str(unset.size) == "hidden"


def test_a_float_in_its_place_makes_it_a_float() -> None:
    assert join(UnsetArgument("scale"), UnknownFloat()) == UnknownFloat()
    assert join(UnknownFloat(), UnsetArgument("scale")) == UnknownFloat()


@pytest.mark.parametrize("other", [None, 1, 0.5, "mean", TensorSpec((3,)), Unknown("anything"), UnsetArgument("other")])
def test_nothing_else_shows_its_type(other: Value) -> None:
    assert type(join(UnsetArgument("value"), other)) is Unknown
    assert type(join(other, UnsetArgument("value"))) is Unknown


def test_two_unknown_sizes_are_not_the_same() -> None:
    assert UnsetArgument("a").size != UnsetArgument("a").size != unknown("a")
