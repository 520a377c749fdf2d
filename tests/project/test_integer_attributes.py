"""Attributes that code uses where only an integer can be."""

from __future__ import annotations

import ast

import pytest

from shapecheck.project.integer_attributes import integer_attributes

USED = {
    "the width of a layer": "nn.Linear(c.size, 2 * c.size)",
    "the second width of a layer": "nn.Conv2d(3, c.size, 1)",
    "the number of rows of a table": "torch.nn.Embedding(c.size, d)",
    "a range": "[layer() for _ in range(c.size)]",
    "a part of a sum": "range(1, c.size + 1)",
    "a factor of a width": "nn.Linear(d, 4 * c.size)",
    "a quotient": "c.size // c.heads",
    "a divisor": "n // c.size",
    "a remainder": "c.size % c.heads == 0",
    "a remainder of a number": "c.size % 8",
}
OTHER = {
    "a tuple": "torch.ones(c.size)",
    "a product, which may repeat a tuple": "2 * c.size",
    "a quotient of floats": "1 / c.size",
    "a text": "'%s' % c.size",
    "a text in an attribute": "c.size % name",
    "a kernel": "nn.Conv2d(3, 4, c.size)",
    "a layer of the project": "Block(c.size)",
}


@pytest.mark.parametrize("case", USED)
def test_an_integer(case: str) -> None:
    assert "size" in integer_attributes(ast.parse(USED[case]))


@pytest.mark.parametrize("case", OTHER)
def test_perhaps_something_else(case: str) -> None:
    assert "size" not in integer_attributes(ast.parse(OTHER[case]))
