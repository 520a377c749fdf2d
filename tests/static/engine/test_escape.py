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

def main():
    counter, seen = Counter(), []

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
    "a list by keyword": ("call(into=seen)", "len(seen)"),
    "a lambda that fills a list": ("call([lambda one: seen.append(one)])", "len(seen)"),
    "a function that torch keeps": ("torch.compile(len, backend=lambda graph, _: seen.append(graph))", "len(seen)"),
    "a function that calls another": ("call(keep)", "len(seen)"),
    "a class whose method fills a list": ("call(Spy)", "len(seen)"),
    "an instance of such a class": ("call([Spy()])", "len(seen)"),
    "a class with an unknown base": ("Hidden()", "len(seen)"),
    "a list given to a class with an unknown base": ("Hidden(seen)", "len(seen)"),
    "a hook": ("torch.nn.ReLU().register_forward_hook(keep)", "len(seen)"),
    "a list given to a function of numpy": ("numpy.nobody_knows(out=seen)", "len(seen)"),
    "a list given to what is no function": ("torch.zeros(3).size.nobody_knows(out=seen)", "len(seen)"),
}
KEPT = {
    "a method that assigns nothing": ("call(counter.read)", "counter.count"),
    "an attribute that the method does not assign": ("call(counter.increase)", "counter.limit - 5"),
    "a list that is not given": ("call(into=[])", "len(seen)"),
    "a list that a class does not use": ("call(Plain)", "len(seen)"),
}


def codes(folder: Path, given: tuple[str, str]) -> list[str]:
    call, number = given
    path = folder / "program.py"
    path.write_text(f"{HEAD}    {call}\n    torch.zeros(2).view({number})\n")
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", CHANGED)
def test_what_may_have_changed_is_not_known(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, CHANGED[name]) == []


@pytest.mark.parametrize("name", KEPT)
def test_what_cannot_have_changed_is_known(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, KEPT[name]) == ["shape-mismatch"]
