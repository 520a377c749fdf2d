"""Which tensors have elements that the program writes down."""

from __future__ import annotations

import pytest

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.written_elements import is_written


def written(callee: str, *args: Value) -> bool:
    return is_written(callee, args, {}, lambda tensor: True)


@pytest.mark.parametrize(
    ("callee", "args"),
    [("zeros", (1,)), ("tensor", ((1, 2),)), ("full", ((2,), 3.0)), ("sum", (TensorSpec((2,)),))],
)
def test_elements_from_numbers_of_the_program(callee: str, args: tuple[Value, ...]) -> None:
    assert written(callee, *args)


@pytest.mark.parametrize(
    ("callee", "args"),
    [("rand", (1,)), ("tensor", (Unknown("an argument"),)), ("tensor", ((1, (Unknown("an argument"),)),))],
)
def test_elements_from_elsewhere(callee: str, args: tuple[Value, ...]) -> None:
    assert not written(callee, *args)


def test_a_list_that_contains_one_list_many_times_takes_no_time() -> None:
    items: Value = ListValue((1, 2))
    for _ in range(200):
        items = ListValue((items, items))
    assert not written("tensor", items)
