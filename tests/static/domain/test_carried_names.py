"""Which names an iteration of a loop may read before it assigns them."""

from __future__ import annotations

import ast
import textwrap

import pytest

from shapecheck.static.domain.carried_names import carried_names

LOOPS = {
    "assigned, then read": ("for x in xs:\n    y = f(x)\n    z = y", {"f"}),
    "read, then assigned": ("for x in xs:\n    z = y\n    y = x", {"y"}),
    "a sum": ("for x in xs:\n    total += x", {"total"}),
    "an item of what was assigned": ("for x in xs:\n    y = [x]\n    y[0] = x", set()),
    "an item of something else": ("for x in xs:\n    y[0] = x", {"y"}),
    "assigned in both branches": ("for x in xs:\n    if x:\n        y = 1\n    else:\n        y = 2\n    z = y", set()),
    "assigned in one branch": ("for x in xs:\n    if x:\n        y = 1\n    z = y", {"y"}),
    "read in the branch that assigns it": ("for x in xs:\n    if x:\n        y = 1\n        z = y", set()),
    "with": ("for x in xs:\n    with lock as held:\n        y = held\n    z = y", {"lock"}),
    "try": ("for x in xs:\n    try:\n        y = x\n    except E as e:\n        y = z\n    z = y", {"E", "y", "z"}),
    "an inner loop": ("for x in xs:\n    for y in x:\n        z = y\n    w = z", {"z"}),
    "what an inner loop sums": ("for x in xs:\n    s = 0\n    for y in x:\n        s += y\n    w = s", set()),
    "a comprehension": ("for x in xs:\n    y = [one for one in x]", set()),
    "a nested function": ("for x in xs:\n    def g():\n        return y\n    y = g()", {"y"}),
    "unpacking": ("for i, (x, y) in xs:\n    a, *b = x, y, i\n    print(a, b)", {"print"}),
    "annotated": ("for x in xs:\n    y: int = x\n    z = y", set()),
    "declared only": ("for x in xs:\n    y: int\n    z = y", {"int", "y"}),
    "the condition of a while": ("while i < n:\n    i = i + 1", {"i", "n"}),
    "match": ("for x in xs:\n    match x:\n        case 1:\n            y = 1\n    z = y", {"y"}),
}


@pytest.mark.parametrize("name", LOOPS)
def test_names_that_are_read_before_they_are_assigned_are_carried(name: str) -> None:
    source, expected = LOOPS[name]
    loop = ast.parse(textwrap.dedent(source)).body[0]
    assert isinstance(loop, (ast.For, ast.While))
    assert carried_names(loop) - {"int"} == expected - {"int"}
