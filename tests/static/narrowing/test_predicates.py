"""Conditions that are calls: of functions of the project that return a condition, and of tests of dtypes."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

_SETUP = """
import lib
from lib import ComplexTensor
from typing import TypeGuard

def is_native(c): return not isinstance(c, ComplexTensor) and torch.is_complex(c)
def is_complex(c): return isinstance(c, ComplexTensor) or is_native(c)
def is_guarded(c: object) -> TypeGuard[ComplexTensor]:
    kind = type(c).__name__
    return kind.startswith("Complex")
def is_pair(x): return x.dim() == 2
def is_batch(x):
    "Whether it has a batch axis."
    if x.dim() == 3:
        return True
    return False
def is_single(x):
    if is_batch(x): return False
    else: return x.dim() == 2
exists = lambda x: x is not None

class Net(nn.Module):
    def is_complex(self, x): return isinstance(x, ComplexTensor)
    @staticmethod
    def is_foreign(x): return isinstance(x, ComplexTensor)
    def wide(self): return self.layer is not None
    def __init__(self, flag):
        super().__init__()
        self.layer = nn.Linear(3, 4) if flag else None
"""
FOR_OTHERS = {
    "through two functions": "is_complex(x)",
    "by keyword": "is_complex(c=x)",
    "a type guard": "is_guarded(x)",
    "a method": "net.is_complex(x)",
    "a static method": "Net.is_foreign(x)",
    "one of several conditions": "lib.flag and is_complex(x)",
    "excluded": "not (lib.flag or not is_complex(x))",
}
"""Conditions that hold for objects of another type than the tensor `x`."""


@pytest.mark.parametrize("condition", FOR_OTHERS.values(), ids=FOR_OTHERS)
def test_a_branch_for_another_type_is_not_reported(condition: str, tmp_path: Path) -> None:
    program = f"{_SETUP}\nx, net = torch.zeros(2, 3), Net(lib.flag)\nif {condition}:\n    x.imag.permute(0)\n"
    assert check([lines_of(tmp_path, program)[0]]) == []


@pytest.mark.parametrize("condition", FOR_OTHERS.values(), ids=FOR_OTHERS)
def test_the_other_branch_is_reported(condition: str, tmp_path: Path) -> None:
    program = f"{_SETUP}\nx, net = torch.zeros(2, 3), Net(lib.flag)\nif not ({condition}):\n    x.permute(0)\n"
    found = check([lines_of(tmp_path, program)[0]])
    assert [one.code for one in found] == ["shape-mismatch"]


FOUND = {
    "a rank": """
        def f(x: Tensor):
            if is_pair(x):
                return x.permute(0, 2, 1)  # HERE
        """,
    "a rank that a statement tests": """
        def f(x: Tensor):
            if is_batch(x):
                return x.permute(0, 1)  # HERE
        """,
    "a rank that another function excludes": """
        def f(x: Tensor):
            assert is_single(x)
            return x.permute(0, 2, 1)  # HERE
        """,
    "a value that exists": """
        x = torch.zeros(2, 3) if lib.flag else None
        if exists(x):
            x.permute(0)  # HERE
        """,
    "a field of the receiver": """
        net = Net(lib.flag)
        if net.wide():
            net.layer(torch.zeros(2, 5))  # HERE
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_the_condition_of_a_predicate_leads_to_a_finding(name: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, _SETUP + "".join(FOUND[name].replace("\n        ", "\n")))
    (line,) = (number for number, content in enumerate(text.splitlines(), 1) if content.endswith("# HERE"))
    assert [(one.line, one.code) for one in check([path])] == [(line, "shape-mismatch")]


QUIET = {
    "a rank that is excluded": """
        def f(x: Tensor):
            if not is_batch(x):
                return x
            return x.permute(0, 2, 1)
        """,
    "a predicate with unknown arguments": """
        def f(x: Tensor, args):
            if is_pair(*args):
                return x.permute(0, 2, 1)
        """,
    "a predicate of recursive structure": """
        def is_deep(x, n):
            return is_deep(x, n - 1) if n else x.dim() == 2
        def f(x: Tensor, n: int):
            if is_deep(x, n):
                return x.permute(0, 2, 1)
        """,
    "a real and a complex operand": """
        def product(a, b):
            if torch.is_complex(a) or torch.is_complex(b):
                if not torch.is_complex(a):
                    return torch.complex(a @ b.real, a @ b.imag)
                return torch.complex(a.real @ b, a.imag @ b)
            return a @ b
        def f(a):
            return product(a, torch.zeros(3, 4, dtype=torch.double))
        """,
    "a complex method": """
        def f(a: Tensor):
            x = torch.zeros(3)
            if a.is_complex() or x.is_complex():
                if not a.is_complex():
                    x.imag
        """,
    "a complex dtype": """
        def f(a: Tensor):
            x = torch.zeros(3)
            if a.dtype.is_complex or x.dtype.is_complex:
                if not a.dtype.is_complex:
                    x.imag
        """,
}


@pytest.mark.parametrize("name", QUIET)
def test_the_condition_of_a_predicate_says_nothing(name: str, tmp_path: Path) -> None:
    assert check([lines_of(tmp_path, _SETUP + QUIET[name].replace("\n        ", "\n"))[0]]) == []


CONSTANTS = {
    "dtypes": ("torch.uint8", "torch.float", "torch.float32"),
    "two dtypes in short": ("torch.half", "torch.double", "torch.float64"),
    "numbers": ("1", "2.5", "2.5"),
    "flags": ("False", "True", "True"),
    "layouts": ("torch.sparse_coo", "torch.strided", "torch.strided"),
    "functions": ("is_pair", "is_batch", "is_batch"),
    "layers": ("nn.Conv1d", "nn.Linear", "nn.Linear"),
    "members": ("Mode.A", "Mode.B", "Mode.B"),
}
"""Two values, and another spelling of the second."""
_SELECTING = """
import enum

class Mode(enum.Enum):
    A = 1
    B = 2

x = torch.zeros(2, 3)
value = {one} if lib.flag else {other}
if {condition}:
    if value == {one}:
        x.permute({there})
    else:
        x.permute({here})
"""


@pytest.mark.parametrize("condition", ["value == {}", "value in [{}, None]", "{} == value", "not (value != {})"])
@pytest.mark.parametrize(("one", "other", "name"), CONSTANTS.values(), ids=CONSTANTS)
def test_a_constant_selects_one_of_several_values(
    condition: str, one: str, other: str, name: str, tmp_path: Path
) -> None:
    for there, here, count in (("0", "1, 0", 0), ("1, 0", "0", 1)):
        program = _SELECTING.format(condition=condition.format(name), one=one, other=other, there=there, here=here)
        found = check([lines_of(tmp_path, _SETUP + program)[0]])
        assert len(found) == count
