"""What a function that is not known may change: collections, and what the functions that it is given hold on to."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
from functools import partial

import numpy
import torch
from elsewhere import Base, call

class Counter:
    def __init__(self):
        self.count, self.limit = 0, 5

    def increase(self, *args):
        self.count += 1

    def read(self):
        return self.count

class Kept:
    pass

def main():
    counter, seen, names = Counter(), [], ["a", "b"]

    def keep(one):
        fill(one)

    def fill(one):
        seen.append(one)

    class Spy(torch.nn.Module):
        def forward(self, x):
            seen.append(x)

    class Hidden(Base):
        def start(self):
            seen.append(self)

    class Plain(torch.nn.Module):
        def forward(self, x):
            return x

"""
CHANGED = {
    "a bound method": ("call(counter.increase)", "counter.count"),
    "one by keyword": ("call(hook=counter.increase)", "counter.count"),
    "one in a list of pairs": ("call(hooks=[(name, counter.increase) for name in (1, 2)])", "counter.count"),
    "one in a dict": ("call({'a': counter.increase})", "counter.count"),
    "one that is bound to arguments": ("call(partial(counter.increase, 1))", "counter.count"),
    "an object with a method that increases it": ("call(counter)", "counter.count"),
    "an object in a list": ("call([counter])", "counter.count"),
    "a list by keyword": ("call(into=seen)", "len(seen)"),
    "a lambda that fills a list": ("call([lambda one: seen.append(one)])", "len(seen)"),
    "a function that torch keeps": (
        "torch.compile(len, backend=lambda graph, _: seen.append(graph))",
        "len(seen)",
    ),
    "a function that calls another": ("call(keep)", "len(seen)"),
    "a class whose method fills a list": ("call(Spy)", "len(seen)"),
    "an instance of such a class": ("call([Spy()])", "len(seen)"),
    "a class with an unknown base": ("Hidden()", "len(seen)"),
    "a list given to a class with an unknown base": ("Hidden(seen)", "len(seen)"),
    "a hook": ("torch.nn.ReLU().register_forward_hook(keep)", "len(seen)"),
    "a list given to a function of numpy": ("numpy.nobody_knows(out=seen)", "len(seen)"),
    "a list given to what is no function": (
        "torch.zeros(3).size.nobody_knows(out=seen)",
        "len(seen)",
    ),
}
STORED = {
    "an attribute of an unknown object": "call().counter = counter",
    "an item of an unknown object": "call()['counter'] = counter",
    "a list of an unknown object": "call().counters.append(counter)",
    "a registry of an unknown object": "call().register_callback(counter)",
    "a tuple in an unknown object": "call().pair = counter, 1",
    "a dict in an unknown object": "call().options = {'counter': counter}",
    "an attribute that setattr sets": "setattr(call(), 'counter', counter)",
    "an attribute with an unknown name": "setattr(call(), call(), counter)",
    "a bound method in an unknown object": "call().forward = counter.increase",
}
STORED_ELSEWHERE = {
    "an attribute of a known object": "Kept().counter = counter",
    "an item of a known list": "names[0] = counter",
    "a known list": "names.append(counter)",
    "another object": "call().counter = Counter()",
}
KEPT = {
    "a method that assigns nothing": ("call(counter.read)", "counter.count"),
    "an attribute that the method does not assign": ("call(counter.increase)", "counter.limit"),
    "an attribute that no method of the object assigns": ("call(counter)", "counter.limit"),
    "a list that is not given": ("call(into=[])", "len(seen)"),
    "a list that a class does not use": ("call(Plain)", "len(seen)"),
}


def codes(folder: Path, given: tuple[str, str]) -> list[str]:
    call, number = given
    path = folder / "program.py"
    path.write_text(f"{HEAD}    {call}\n    torch.zeros({number}, 3) + torch.zeros(7, 3)\n")
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", CHANGED)
def test_what_may_have_changed_is_not_known(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, CHANGED[name]) == []


@pytest.mark.parametrize("name", KEPT)
def test_what_cannot_have_changed_is_known(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, KEPT[name]) == ["shape-mismatch"]


@pytest.mark.parametrize("name", STORED)
def test_an_object_in_an_unknown_one_may_change(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, (STORED[name], "counter.count")) == []
    assert codes(tmp_path, (STORED[name], "counter.limit")) == ["shape-mismatch"]


@pytest.mark.parametrize("name", [one for one in STORED if one != "a bound method in an unknown object"])
def test_it_may_change_at_any_later_time(name: str, tmp_path: Path) -> None:
    line = f"{STORED[name]}\n    counter.count = 0\n    call()"
    assert codes(tmp_path, (line, "counter.count")) == []


@pytest.mark.parametrize("name", STORED_ELSEWHERE)
def test_an_object_in_a_known_one_is_known(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, (f"{STORED_ELSEWHERE[name]}\n    call()", "counter.count")) == ["shape-mismatch"]


COLLECTING = """\
import torch
from elsewhere import call

class Cache:
    def __init__(self, function):
        self.function, self.found = function, []

    def __call__(self, x):
        self.found.append(self.function(x))

    def collected(self):
        found = torch.cat(self.found)
        self.found = []
        return found

def main(model):
    cache = Cache(model.forward)
    {stored}
    for _ in range(3):
        call()
        cache.collected()
"""


def test_a_list_that_is_emptied_is_filled_again(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    for stored in ("model.forward = cache", "call(cache)"):
        path.write_text(COLLECTING.format(stored=stored))
        assert check([path]) == []


PARTS = """\
import torch
from elsewhere import Base, call

class Part(Base):
    def __init__(self, whole):
        super().__init__()
        self.whole = whole

class Whole:
    def __init__(self):
        self.parts, self.count, self.limit = call(self), 0, 5

    def __getitem__(self, index):
        return self.parts[index]

    def first(self):
        return self.parts[0]

    def add(self):
        self.count += 1

def main():
    whole, other = Whole(), Whole()
    {line}
    torch.zeros({number}, 3) + torch.zeros(7, 3)

main()
"""


@pytest.mark.parametrize("line", ["whole[0].add()", "whole.first().add()", "whole.parts[0].add()", "whole[0].a.add()"])
def test_a_part_may_change_the_object_that_holds_it(line: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    for number, expected in (
        ("whole.count", []),
        ("whole.limit", ["shape-mismatch"]),
        ("other.count", ["shape-mismatch"]),
    ):
        path.write_text(PARTS.format(line=line, number=number))
        assert [one.code for one in check([path])] == expected
