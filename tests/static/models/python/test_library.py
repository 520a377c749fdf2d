"""What Python's own functions give: each expression is a size, and it is known."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """
import argparse, collections, dataclasses, enum, functools, itertools, json, math, operator, types, typing
from dataclasses import dataclass, field
import torch
from torch import nn
from shapecheck import reveal_shape

"""

SEVEN = {
    "any": "7 if any(x > 2 for x in [1, 2, 3]) else 8",
    "all": "7 if all(x > 0 for x in [1, 2, 3]) else 8",
    "divmod": "divmod(15, 2)[0]",
    "pow": "pow(7, 1)",
    "a function of math": "math.gcd(14, 21)",
    "the first item of a new iterator": "next(iter([7, 8]))",
    "a default for no item": "next(iter([]), 7)",
    "filter": "len(list(filter(lambda x: x > 2, range(10))))",
    "map over two": "list(map(lambda a, b: a + b, [3], [4]))[0]",
    "the largest by a key": "max([3, -7, 5], key=abs) + 14",
    "the largest of nothing": "max([], default=7)",
    "sorted by a key": "sorted([3, 9, 7], key=lambda v: -v)[1]",
    "reduce": "functools.reduce(lambda a, b: a + b, [3, 4])",
    "accumulate": "list(itertools.accumulate([3, 4]))[-1]",
    "chain": "len(list(itertools.chain([1, 2, 3], [4, 5, 6, 7])))",
    "chain of one iterable": "len(list(itertools.chain.from_iterable([[1, 2, 3], [4, 5, 6, 7]])))",
    "product": "len(list(itertools.product(range(7), range(1))))",
    "pairwise": "list(itertools.pairwise([1, 7]))[0][1]",
    "combinations": "len(list(itertools.combinations(range(7), 1)))",
    "islice": "len(list(itertools.islice(range(20), 7)))",
    "repeat": "len(list(itertools.repeat(1, 7)))",
    "zip_longest": "len(list(itertools.zip_longest(range(7), range(3))))",
    "starmap": "list(itertools.starmap(max, [(3, 7)]))[0]",
    "split": 'int("3,7".split(",")[1])',
    "join": 'len("".join(["abc", "defg"]))',
    "format": 'len("{}-{}".format("abc", 123))',
    "index in a text": '"abcdefgh".index("h")',
    "a name space": "types.SimpleNamespace(a=7).a",
    "its attributes as a dict": 'vars(types.SimpleNamespace(a=7))["a"]',
    "its attributes by __dict__": 'types.SimpleNamespace(a=7).__dict__["a"]',
    "an argument by default": "arguments().long_name",
    "a default that is a text": "arguments().text",
    "a flag that is not given": "8 if arguments().flag else 7",
    "a default set afterwards": "arguments().late",
    "an argument in a group": "arguments().grouped",
    "an argument that no empty list contains": "7 if arguments([]).absent is None else 8",
    "update by pairs and by names": "updated()['a'] + updated()['b']",
    "setdefault": '{"a": 7}.setdefault("a", 3)',
    "the value of a missing key": "counted()['a']",
    "what is left of a dict": "len(shortened())",
    "a tuple as a key": "{(1, 2): 7}[1, 2]",
    "two dicts in one": '({"a": 1} | {"a": 7})["a"]',
    "a set": "len({1, 2, 2, 3, 4, 5, 6, 7})",
    "a set of items": "len(set([1, 1, 2, 3, 4, 5, 6, 7]))",
    "a set comprehension": "len({n // 2 for n in range(14)})",
    "sets in one": "len({1, 2} | {3, 4, 5, 6, 7})",
    "the characters of a text": 'len(sorted(set("hello wor")))',
    "several sets in one": "len(set().union(*({n} for n in range(7))))",
    "a set that grew": "len(grown())",
    "a list that was copied": "len(copied())",
    "an attribute that is there": 'getattr(types.SimpleNamespace(a=7), "a", 3)',
    "an attribute that is not": 'getattr(types.SimpleNamespace(a=3), "b", 7)',
    "an attribute that an object has not": 'getattr(Plain(), "b", 7)',
    "a method by its name": 'getattr(Plain(), "seven")()',
    "a dict whose items are attributes": "AttrDict(a=7).a",
    "an attribute that becomes an item": "put_in(AttrDict())['a']",
    "a dict that is its own attributes": "Own({'a': 7}).a",
    "such a dict spread over names": "dict(**AttrDict(a=7))['a']",
    "the length of such a dict": "len(AttrDict({n: n for n in range(7)}))",
    "the keys of such a dict": "[one for one in Own({7: 1})][0]",
    "an attribute that its class puts in": "put_in(Setting())['a']",
    "JSON": """json.loads('{"a": [3, 7]}')["a"][1]""",
    "the value of a member": "Kind.SEVEN.value",
    "a member that is asked for": "7 if Kind('b') is Kind.SIX else 8",
    "a member that is equal": "widths(Kind.SEVEN)",
    "a member that is a text as well": "7 if Mode.TRAIN == 'train' else 8",
    "the members of an enumeration": "len([one for one in Kind]) + 5",
    "a member by its name": "Kind['SEVEN'].value",
    "a member that is matched": "matched(Kind.SEVEN)",
    "an attribute that is made up": "Lazy().seven",
    "a name bound further out": "counting()",
    "a global name": "(setting(), SETTING)[1]",
    "a type that is asked for": "7 if type(3) is int else 8",
    "a class that is asked for": "7 if type(Plain()) is Plain else 8",
    "a text that is matched": "matching('x')",
    "a record with one field replaced": "dataclasses.replace(Config(), a=7).a",
    "a record as a dict": 'dataclasses.asdict(Config())["b"]',
    "a default that is made": "len(Config().made)",
    "a field that is no argument": "Config(1, 2, 7).last",
    "a typed dict": "Typed(a=7)['a']",
    "the length of an object": "len(Rows())",
    "an item of an object": "Rows()[0]",
    "the items of an object": "sum(Rows()) - 42",
    "a loop over an object": "last_of(Rows())",
    "a sum of objects": "(Amount(3) + Amount(4)).n",
    "a class in a registry": "REGISTRY['rows']()[0]",
    "a class in a registry that is an object": "registry.made['amount'](7).n",
    "hasattr": '7 if hasattr(Plain(), "a") else 8',
    "the place of an item": "[1, 2, 7].index(7) + 5",
    "a list that was sorted": "ordered()[-1]",
}

SETUP = """
def arguments(argv=None):
    parser = argparse.ArgumentParser(description="train")
    group = parser.add_argument_group("model")
    parser.add_argument("-l", "--long-name", type=int, default=7)
    parser.add_argument("--text", default="7", type=int)
    parser.add_argument("--flag", action="store_true")
    parser.add_argument("--needed", required=True, default=7)
    parser.add_argument("--absent", type=int)
    parser.add_argument("path")
    parser.add_argument("--none-yet", type=int, default=0)
    parser.add_argument("--items", nargs="*", default=[])
    group.add_argument("--grouped", default=7)
    parser.set_defaults(late=7)
    return parser.parse_args(argv)

def given():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=7)
    return parser.parse_args(["--size", "8"])

def overridden():
    args = arguments()
    vars(args).update(text=8)
    return args

def updated():
    found = {"a": 1, "b": 2}
    found.update([("a", 3)], b=4)
    return found

def counted():
    found = collections.defaultdict(lambda: 3)
    found["a"] += 4
    return found

def shortened():
    found = {n: n for n in range(8)}
    del found[3]
    return found

def ordered():
    found = [7, 1, 8, 3]
    found.remove(8)
    found.sort()
    return found

def grouped(labels):
    found = collections.defaultdict(list)
    for label in labels:
        found[label.item()].append(label)
    return found

def refilled(more):
    found = {"a": 7}
    found.update(more)
    return found

def grown():
    found = {1, 2, 3}
    found.add(3)
    found.update([4, 5, 6, 7])
    return found

def copied():
    import copy
    first = [0] * 7
    second = copy.copy(first)
    second.append(1)
    return first

class Plain:
    def __init__(self):
        self.a = 3

    def seven(self):
        return 7

def counting():
    n = 3
    def more():
        nonlocal n
        n += 4
    more()
    return n

SETTING = 3

def setting():
    global SETTING
    SETTING = 7

def matching(kind):
    match kind:
        case "w" | "y":
            return 6
        case "x":
            return 7
        case _:
            return 8

@dataclass
class Config:
    a: int = 3
    b: int = 7
    hidden: int = field(init=False, default=1)
    last: int = 3
    made: list = field(default_factory=lambda: [0] * 7)

class Typed(typing.TypedDict):
    a: int

REGISTRY = {}

def register(name):
    def enter(cls):
        REGISTRY[name] = cls
        return cls
    return enter

class Registry:
    def __init__(self):
        self.made = {}

    def register(self, name):
        def enter(cls):
            self.made[name] = cls
            return cls
        return enter

registry = Registry()

@register("rows")
class Rows:
    def __len__(self):
        return 7

    def __getitem__(self, index):
        return 7

@registry.register("amount")
class Amount:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return Amount(self.n + other.n)

def last_of(rows):
    for one in rows:
        found = one
    return found

class AttrDict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__

class Own(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self

class Kind(enum.Enum):
    SEVEN = 7
    SIX = "b"

class Mode(str, enum.Enum):
    TRAIN = "train"

def widths(kind):
    return {Kind.SIX: 6, Kind.SEVEN: 7}[kind] if kind == Kind.SEVEN and kind != Kind.SIX else 8

def matched(kind):
    match kind:
        case Kind.SIX:
            return 6
        case Kind.SEVEN:
            return 7

class Setting(dict):
    def __setattr__(self, name, value):
        self[name] = value

class Lazy:
    def __getattr__(self, name):
        return {"seven": 7}[name]

def put_in(found):
    found.a = 7
    return found

iterator = iter([7, 8])
"""

OPEN = {
    "the next item of an iterator that was there": "next(iterator)",
    "an argument that must be given": "arguments().needed",
    "an argument that is None by default": "arguments().absent",
    "a positional argument": "arguments().path",
    "a positional argument of an empty list": "arguments([]).path",
    "an argument that must be given, of an empty list": "arguments([]).needed",
    "a count that is 0 by default": "arguments().none_yet",
    "a list that is empty by default": "len(arguments().items)",
    "an argument that the program gives itself": "given().size",
    "a dict with a key that nobody knows": "len(grouped(torch.zeros(3)))",
    "a dict with what nobody knows": "refilled(flags)['a']",
    "any of what is not known": "7 if any(flags) else 8",
}


def revealed(folder: Path, expression: str) -> str:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(SETUP) + f"reveal_shape(torch.zeros(3, {expression}))\n")
    (found,) = check([path])
    return found.message


@pytest.mark.parametrize("name", SEVEN)
def test_a_size_that_is_known(name: str, tmp_path: Path) -> None:
    assert revealed(tmp_path, SEVEN[name]) == "torch.float32 (3, 7)"


@pytest.mark.parametrize("name", OPEN)
def test_a_size_that_is_not(name: str, tmp_path: Path) -> None:
    assert not re.search(r"\d\)", revealed(tmp_path, OPEN[name]))


def test_what_is_put_into_the_attributes_of_a_name_space(tmp_path: Path) -> None:
    assert revealed(tmp_path, "overridden().text") == "torch.float32 (3, 8)"


@pytest.mark.parametrize("names", ["glob.glob('*.txt')", "os.listdir()[1:]"])
def test_the_names_of_files_are_a_list(names: str, tmp_path: Path) -> None:
    program = """
    import glob, os
    names = {}
    names.sort()
    torch.zeros(7, 4 if isinstance(names, {}) else 2) @ torch.zeros(4, 2)
    """
    for kind, codes in (("str", ["shape-mismatch"]), ("list", [])):
        path = tmp_path / "program.py"
        path.write_text(HEAD + textwrap.dedent(program.format(names, kind)))
        assert [one.code for one in check([path])] == codes
