"""Layers of two rounds of a loop: equal if they differ in the names of unknown sizes alone."""

from __future__ import annotations

import pytest

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Size, axis, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.objects import ModuleContainer
from shapecheck.static.domain.structural_equality import structurally_equal
from shapecheck.static.domain.symbolic_argument import SymbolicArgument


def linear(before: Size, after: Size) -> Value:
    made: Value = infer("torch.nn.Linear", before, after)
    return made


def layers(*items: Value) -> ModuleContainer:
    return ModuleContainer("Sequential", {str(at): one for at, one in enumerate(items)})


def chain(first: Size, second: Size, third: Size) -> ModuleContainer:
    return layers(linear(first, second), linear(second, third))


one, two, three, four, five, six = (unknown() for _ in range(6))
EQUAL = {
    "numbers": (linear(3, 4), linear(3, 4)),
    "a named size": (linear(axis("d"), 4), linear(axis("d"), 4)),
    "unknown sizes": (linear(one, two), linear(three, four)),
    "the same unknown size twice": (linear(one, one), linear(two, two)),
    "a chain": (chain(one, two, three), chain(four, five, six)),
    "a multiple of an unknown size": (linear(one, 4 * one), linear(two, 4 * two)),
    "unknown values": (layers(Unknown("a")), layers(Unknown("b"))),
    "one argument": (SymbolicArgument("a"), SymbolicArgument("a")),
    "alternatives": (Alternatives((linear(one, 3), None)), Alternatives((linear(two, 3), None))),
}
OTHER = {
    "numbers": (linear(3, 4), linear(3, 5)),
    "a number and an unknown size": (linear(3, one), linear(3, 4)),
    "named sizes": (linear(axis("c"), 4), linear(axis("d"), 4)),
    "two sizes and one": (linear(one, two), linear(three, three)),
    "one size and two, of which one is the same": (linear(one, one), linear(one, two)),
    "one size and two": (linear(one, one), linear(two, three)),
    "a chain that is interrupted": (chain(one, two, three), layers(linear(four, five), linear(six, one))),
    "a multiple of another size": (linear(one, 4 * one), linear(two, 4 * three)),
    "two arguments": (SymbolicArgument("a"), SymbolicArgument("b")),
    "layers of two classes": (linear(3, 4), infer("torch.nn.Conv1d", 3, 4, 1)),
    "a value and None": (Unknown("a"), None),
}


@pytest.mark.parametrize("case", EQUAL)
def test_equal(case: str) -> None:
    assert structurally_equal(*EQUAL[case])


@pytest.mark.parametrize("case", OTHER)
def test_different(case: str) -> None:
    assert not structurally_equal(*OTHER[case])
