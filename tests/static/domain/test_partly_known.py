"""Strings with an unknown part, and unknown values that equal none of some constants."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

PROGRAM = """\
import enum
import torch
from elsewhere import pick
from shapecheck import reveal_shape

class Kind(enum.Enum):
    A = "a"
    B = "b"

class Name(str, enum.Enum):
    A = "a"
    B = "b"

class Holder:
    def __init__(self, kind):
        self.kind = kind

def size(condition):
    return 3 if condition else 4

def main(given: str):
    one = pick()
{lines}
"""
DECIDED = {
    "an f-string with another beginning": ('f"x_{one}" == "y_a"', False),
    "an f-string with another end": ('f"{one}_task" == "imputation"', False),
    "an f-string that is too short": ('f"ab{one}" == "a"', False),
    "an f-string that differs": ('f"ab{one}" != "cd"', True),
    "an f-string and None": ('f"{one}" is None', False),
    "an f-string in a tuple": ('f"{one}_a" in ("b", "c")', False),
    "the truth of an f-string": ('f"{one}_a"', True),
    "a sum": ('one + "_term" == "imputation"', False),
    "a sum with an argument": ('given + "_term" == "imputation"', False),
    "a sum of sums": ('"a_" + one + "_b" == "a_x"', False),
    "format": ('"{}_term".format(one) == "imputation"', False),
    "a conversion": ('"%s_term" % one == "imputation"', False),
    "a join": ('"-".join(["a", one, "b"]) == "b-b"', False),
    "two f-strings": ('f"a{one}" == f"b{one}"', False),
    "a number with leading zeros": ('f"{3:02d}{one}" == "3"', None),
    "an f-string that may be equal": ('f"{one}_task" == "any_task"', None),
    "a sum that may be equal": ('one + "_term" == "long_term"', None),
    "escaped braces": ('"{{{}".format(one) == "{a"', None),
    "a percent sign": ('"100%% %s" % one == "100% a"', None),
    "an unknown value": ('one == "a"', None),
    "a sum of unknown values": ('one + given == "a"', None),
}


def revealed(folder: Path, lines: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(PROGRAM.format(lines="\n".join(f"    {line}" for line in lines.splitlines())))
    return [one.message for one in check([path])]


@pytest.mark.parametrize("name", DECIDED)
def test_a_comparison_is_decided_by_the_known_part(name: str, tmp_path: Path) -> None:
    condition, outcome = DECIDED[name]
    size = {True: "3", False: "4", None: "?"}[outcome]
    assert revealed(tmp_path, f"reveal_shape(torch.zeros(3 if {condition} else 4))") == [f"torch.float32 ({size},)"]


EXCLUDED = {
    "a string": 'if one == "a":\n    return\n',
    "a string on the left": 'if "a" == one:\n    return\n',
    "a string that is not equal": 'if not one != "a":\n    return\n',
    "a string among others": 'if one in ("a", "b"):\n    return\n',
    "two tests": 'if one == "a" or one == "b":\n    return\n',
    "another branch": 'if one == "a":\n    raise ValueError\nelif one == "c":\n    pass\n',
}
KINDS = {
    "equality": "if one == Kind.A:\n    return\n",
    "identity": "if one is Kind.A:\n    return\n",
    "a tuple": "if one in (Kind.A, Kind.B):\n    return\n",
}


@pytest.mark.parametrize("name", EXCLUDED)
@pytest.mark.parametrize("value", ["pick()", "given"])
def test_an_excluded_constant_is_excluded_in_another_function(name: str, value: str, tmp_path: Path) -> None:
    lines = f"one = {value}\n{EXCLUDED[name]}reveal_shape(torch.zeros(size(one == 'a')))"
    assert revealed(tmp_path, lines) == ["torch.float32 (4,)"]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("cls", ["Kind", "Name"])
def test_an_excluded_member_is_excluded_in_an_attribute(name: str, cls: str, tmp_path: Path) -> None:
    test = KINDS[name].replace("one", "box.kind").replace("Kind", cls)
    lines = f"box = Holder(one)\n{test}reveal_shape(torch.zeros(size(box.kind == {cls}.A)))"
    assert revealed(tmp_path, lines) == ["torch.float32 (4,)"]


STILL_OPEN = {
    "another constant": 'if one == "a":\n    return\nreveal_shape(torch.zeros(size(one == "b")))',
    "another value": 'if one == "a":\n    return\none = pick()\nreveal_shape(torch.zeros(size(one == "a")))',
    "one of two branches": 'if pick():\n  if one == "a":\n    return\nreveal_shape(torch.zeros(size(one == "a")))',
    "a branch that goes on": 'if one == "a":\n    pick()\nreveal_shape(torch.zeros(size(one == "a")))',
}


@pytest.mark.parametrize("name", STILL_OPEN)
def test_a_constant_that_is_not_excluded_is_possible(name: str, tmp_path: Path) -> None:
    assert revealed(tmp_path, STILL_OPEN[name]) == ["torch.float32 (?,)"]


def test_the_member_is_known_where_it_is_tested(tmp_path: Path) -> None:
    lines = "if one == Kind.A:\n    reveal_shape(torch.zeros(size(one == Kind.B)))"
    assert revealed(tmp_path, lines) == ["torch.float32 (4,)"]
    lines = 'match one:\n    case "x":\n        pass'
    assert revealed(tmp_path, lines) == []
    lines = f'{EXCLUDED["a string"]}match one:\n    case "a":\n        reveal_shape(torch.zeros(9))'
    assert revealed(tmp_path, lines) == []
