"""Members of enumerations: their methods, names and types."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

SETUP = """
from enum import Enum, IntEnum
from shapecheck import reveal_shape


class Text(str, Enum):
    def capital(self):
        return self.value.upper()


class Kind(Text):
    ONE = "one"
    MANY = "many"
    UNO = "one"

    def is_one(self):
        return self in [Kind.ONE]

    def is_many(self):
        return self == Kind.MANY

    @property
    def is_any(self):
        return self.is_one() or self.is_many()

    @classmethod
    def default(cls):
        return cls.ONE

    @staticmethod
    def double(n):
        return 2 * n

    def other(self):
        return self.__class__.MANY


class Level(IntEnum):
    LOW = 1

    def is_low(self):
        return self is Level.LOW


class Loose(Enum):
    A = "a"
    B = "b"

    def __eq__(self, other):
        return True


class Numbered(Enum):
    def __new__(cls, shown):
        made = object.__new__(cls)
        made._value_ = len(cls.__members__)
        return made

    A = "x"
    B = "x"


x = torch.rand(2)
"""
TRUE = [
    "Kind.ONE.is_one()",
    "not Kind.ONE.is_many()",
    "Kind.MANY.is_many()",
    "Kind.MANY.is_any",
    "Kind.ONE.capital() == 'ONE'",
    "Kind.ONE.default() == Kind.ONE",
    "Kind.ONE.double(2) == 4",
    "Kind.ONE.other() is Kind.MANY",
    "type(Kind.ONE) is Kind and type(Kind.ONE).MANY == Kind.MANY",
    "Kind('many').is_many()",
    "Kind.UNO.is_one()",
    "Kind.UNO is Kind.ONE",
    "Kind.UNO.name == 'ONE'",
    "Kind.__members__['UNO'] is Kind.ONE",
    "len(list(Kind)) == 2",
    "Level.LOW.is_low()",
    "Numbered.A is not Numbered.B",
    "isinstance(Kind.ONE, Kind) and isinstance(Kind.ONE, Text)",
    "isinstance(Kind.ONE, str) and isinstance(Kind.ONE, Enum)",
    "isinstance(Level.LOW, int)",
    "not isinstance(Kind.ONE, (int, torch.Tensor, Level))",
    "not isinstance(Loose.A, str)",
]
UNKNOWN = ["Loose.A == Loose.B", "Kind(unknown()).is_one()"]


def shown(folder: Path, test: str) -> list[str]:
    program = f"{SETUP}if {test}:\n    reveal_shape(x)\nelse:\n    reveal_shape(x[None])\n"
    path, _ = lines_of(folder, program)
    return [one.message.removeprefix("torch.float32 ") for one in check([path])]


@pytest.mark.parametrize("test", TRUE)
def test_what_is_true_of_a_member(tmp_path: Path, test: str) -> None:
    namespace: dict[str, object] = {}
    exec("import torch\n" + SETUP.replace("from shapecheck import reveal_shape", ""), namespace)
    assert eval(test, namespace)
    assert shown(tmp_path, test) == ["(2,)"]


@pytest.mark.parametrize("test", UNKNOWN)
def test_what_is_unknown_of_a_member(tmp_path: Path, test: str) -> None:
    assert shown(tmp_path, test) == ["(2,)", "(1, 2)"]


META = """
from enum import Enum


class Kind(str, Enum):
    ONE = "one"
    MANY = "many"
    OTHER = "other"

    def is_one(self):
        return self in [Kind.ONE]

    def is_many(self):
        return self in [Kind.MANY]


class Meta:
    def __init__(self, kind, dtype=None, sizes=None):
        self.kind, self.dtype, self.sizes = kind, dtype, sizes
        if self.kind.is_many():
            if isinstance(self.dtype, torch.dtype):
                self.dtype = [self.dtype for _ in self.sizes]
            if len(self.sizes) != len(self.dtype):
                raise ValueError


def make(meta):
    if meta.kind.is_one():
        return full(meta.sizes, meta.dtype)
    return [full(size, one) for size, one in zip(meta.sizes, meta.dtype)] if meta.kind.is_many() else None


def full(size, dtype):
    return torch.full(size, True, dtype=dtype) if dtype == torch.bool else torch.zeros(size).to(dtype)


make(Meta(Kind.ONE, torch.float64, (2, 3)))
make(Meta(Kind.MANY, torch.float64, ((2, 3), (2, 3))))
make(Meta(Kind.OTHER))
"""


def test_a_value_that_depends_on_a_member_is_used_for_the_same_one(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, META)
    assert check([path]) == []
