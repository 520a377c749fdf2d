"""What operators receive in place of abstract values: rules know one kind of unknown value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import shapecheck.static.entry.checker  # noqa: F401 - defines every kind of value
from shapecheck.ops import Unknown
from shapecheck.static import check
from shapecheck.static.domain.open_sizes import OpenSizes
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.operands import to_ops
from tests.static.programs import lines_of


def kinds_of(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield one
        yield from kinds_of(one)


@pytest.mark.parametrize("kind", sorted({*kinds_of(Unknown)} - {OpenSizes}, key=lambda one: one.__name__))
def test_rules_receive_plain_unknown_values(kind: type[Unknown]) -> None:
    value = object.__new__(kind)
    value.reason = "a reason"
    if isinstance(value, SymbolicArgument):
        value.formula, value.is_integer = None, False
    assert type(to_ops(value)) is Unknown


PROGRAM = """
class Net(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.heads = options.get("heads", 4)
        self.layers = nn.Sequential(nn.Linear(8, 8 * self.heads), nn.Unflatten(1, (self.heads, 8)))

    def forward(self, x):
        return self.layers(x)


def build(**options):
    return Net(options)(torch.zeros(2, 8))
"""


def test_a_size_that_only_unknown_options_may_set_is_any_size(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, PROGRAM)
    assert check([path]) == []
