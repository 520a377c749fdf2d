"""Collections that are read at an unknown place, or through another name: what fills one of them is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
import functools
from collections import defaultdict
import lib

def put(rows, one):
    rows.append(one)

def gather(maps, n: int):
    lists, named = [[], []], {{16: [], 32: []}}
    {setup}
    for one in maps:
        {fill}
    return {use}
"""
LIST, NAMED = "torch.stack(lists[0])", "torch.stack(named[16])"

QUIET = {
    "an unknown index": ("", "lists[one.i].append(one)", LIST),
    "an unknown key": ("", "named[one.i].extend([one])", NAMED),
    "an unknown key of get": ("", "named.get(one.i).append(one)", NAMED),
    "an unknown key of setdefault": ("", "named.setdefault(one.i, []).append(one)", NAMED),
    "an augmented assignment": ("", "named[one.i] += [one]", NAMED),
    "another name": ("", "row = lists[one.i]; row.append(one)", LIST),
    "another name that is extended in place": ("row = lists[0]", "row += [one]", LIST),
    "the target of a loop": ("", "for row, each in zip(lists, one): row.append(each)", LIST),
    "the target of a loop of unknown length": ("", "for row, each in zip(one, lists): each.append(row)", LIST),
    "an item of a tuple": ("", "(lists[0], named)[one.i].append(one)", LIST),
    "a list in a dict": (
        "named = {'a': {'x': []}, 'b': {'x': []}}",
        "named[one.i]['x'].append(one)",
        "torch.stack(named['a']['x'])",
    ),
    "two unknown places": (
        "lists = [[[], []], [[], []]]",
        "lists[one.i][one.j].append(one)",
        "torch.stack(lists[0][1])",
    ),
    "as many lists as a number says": ("lists = [[] for _ in range(n)]", "lists[one.i].append(one)", LIST),
    "as many tuples of lists": (
        "lists = [([], []) for _ in range(n)]",
        "lists[one.i][0].append(one)",
        "torch.stack(lists[0][0])",
    ),
    "lists that are appended": (
        "lists = []\n    for _ in range(n): lists.append([])",
        "lists[one.i].append(one)",
        LIST,
    ),
    "dicts that are appended": (
        "lists = [{'x': []} for _ in range(n)]",
        "lists[one.i]['x'].append(one)",
        "torch.stack(lists[0]['x'])",
    ),
    "many lists": ("lists = [[], [], [], [], [], []]", "for row, each in zip(lists, one): row.append(each)", LIST),
    "a defaultdict": ("named = defaultdict(list)", "named[one.i].append(one)", NAMED),
    "a function of the program": ("", "put(lists[one.i], one)", LIST),
    "an unknown function": ("", "lib.fill(lists)", LIST),
    "an unknown function that receives them in a tuple": ("", "lib.fill((named, 1))", NAMED),
    "a bound method": ("", "lib.call(lists[0].append)", LIST),
    "a partial function": ("", "lib.call(functools.partial(put, lists[0]))", LIST),
    "a hook": ("", "one.register_forward_hook(lambda *given: lists[0].append(given))", LIST),
    "a hook of a layer": (
        "layer = nn.Linear(2, 2)\n    layer.register_forward_hook(lambda *given: lists[0].append(given))",
        "layer(one)",
        LIST,
    ),
    "a variable of the enclosing function": (
        "count = 0\n    def add():\n        nonlocal count\n        count += 1",
        "lib.call(add)",
        "torch.zeros(count)[0]",
    ),
}

FOUND = {
    "another list": ("", "lists[1].append(one)", LIST),
    "another key": ("", "named[32].append(one)", NAMED),
    "a list that is only read": ("", "len(lists[one.i])", LIST),
    "a tuple of functions": ("", "(print, len)[one.i](one)", LIST),
    "a list that is read by an unknown function": ("rows = lists[1]", "lib.fill(rows)", LIST),
}


def findings(tmp_path: Path, setup: str, fill: str, use: str) -> list[str]:
    path, _ = lines_of(tmp_path, PROGRAM.format(setup=setup or "pass", fill=fill, use=use))
    return [one.message for one in check([path])]


@pytest.mark.parametrize("name", QUIET)
def test_a_collection_that_may_have_been_filled(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, *QUIET[name]) == []


@pytest.mark.parametrize("name", FOUND)
def test_a_collection_that_stays_empty(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, *FOUND[name]) == ["stack: expected at least one tensor, got an empty list"]
