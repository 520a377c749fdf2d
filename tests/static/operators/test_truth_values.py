"""The truth value of a tensor: torch refuses one of several elements."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

NET = """
class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc, self.score = nn.Linear(dim, 4), nn.Linear(dim, 1)

    def forward(self, x, y):
        b, n, c = x.shape
        z = self.fc(x)
        {body}
"""
REFUSED = {
    "if": "if z: x = y",
    "elif": "if n > 3: pass\n        elif z: x = y",
    "while": "while z: x = y",
    "assert": "assert z > 0",
    "not": "return not z",
    "and": "return z and y",
    "or": "return z or y",
    "a conditional expression": "return x if z else y",
    "a comparison": "if z == 0: x = y",
    "a chain of comparisons": "return 0 < z < 1",
    "bool()": "return bool(z)",
    "several rows of unknown rank": "if self.fc(y): x = y",
}
ACCEPTED = {
    "all elements": "if (z > 0).all(): x = y",
    "a sum": "if z.sum() > 0: x = y",
    "one score of each item, which may be one": "if self.score(x): x = y",
    "an element": "if z[0, 0, 0]: x = y",
    "a comparison with None": "if z is not None: x = y",
    "equality with None": "if z != None: x = y",
    "the number of items": "if len(z): x = y",
    "an attribute of the tensor": "if z.requires_grad: x = y",
    "torch.equal": "if torch.equal(z, z): x = y",
}


def found_in(folder: Path, source: str) -> list[tuple[str, str]]:
    path, _ = lines_of(folder, source)
    return [(one.code, one.message) for one in check([path])]


@pytest.mark.parametrize("case", REFUSED)
def test_a_tensor_of_several_elements_has_no_truth_value(tmp_path: Path, case: str) -> None:
    ((code, message),) = found_in(tmp_path, NET.format(body=REFUSED[case]))
    assert (code, "is ambiguous" in message) == ("shape-mismatch", True)


@pytest.mark.parametrize("case", ACCEPTED)
def test_a_tensor_that_may_have_one_element_has_one(tmp_path: Path, case: str) -> None:
    assert found_in(tmp_path, NET.format(body=ACCEPTED[case])) == []


@pytest.mark.parametrize("convert", ["float", "int", "torch.Tensor.item"])
def test_numbers_are_made_of_one_element(tmp_path: Path, convert: str) -> None:
    ((code, _),) = found_in(tmp_path, NET.format(body=f"return {convert}(z)"))
    assert code == "wrong-call"


REFLECTED = """
import pytest
import torch
from unittest import mock


class Same:
    def __eq__(self, other):
        return True


def test(close):
    x = torch.rand(2, 3)
    assert x == {other}
    is_equal = x * 2 == {other}
    assert is_equal
    return 0 if x != {other} else 1
"""


@pytest.mark.parametrize("other", ["pytest.approx(x)", "mock.ANY", "Same()", "close.value"])
def test_the_class_of_an_unknown_object_may_decide_equality(tmp_path: Path, other: str) -> None:
    assert found_in(tmp_path, REFLECTED.format(other=other)) == []


@pytest.mark.parametrize("other", ["1", "0.5", "x + 1", "torch.rand(3)"])
def test_tensors_and_numbers_do_not_decide_equality(tmp_path: Path, other: str) -> None:
    found = found_in(tmp_path, REFLECTED.format(other=other))
    assert [code for code, _ in found if code == "shape-mismatch"] == ["shape-mismatch"] * 3


OPTIONAL = {
    "if": "if mask: x = x * mask",
    "if not": "if not mask: return x",
    "a conditional expression": "x = x * mask if mask else x",
    "and": "x = mask and x",
}


@pytest.mark.parametrize("annotation", ["Optional[Tensor]", "Tensor | None", "torch.Tensor | None"])
@pytest.mark.parametrize("case", OPTIONAL)
def test_an_optional_tensor_is_compared_with_none(tmp_path: Path, annotation: str, case: str) -> None:
    source = (
        f"from typing import Optional\ndef f(x: Tensor, mask: {annotation} = None):\n    {OPTIONAL[case]}\n    return x"
    )
    ((code, message),) = found_in(tmp_path, source)
    assert (code, "compare mask with None (fails whenever mask is given)" in message) == ("off-default", True)


QUIET = {
    "a comparison with None": "def f(x: Tensor, m: Tensor | None = None):\n    return x if m is None else x * m",
    "a flag": "def f(x: Tensor, mask: bool | None = None):\n    return x if mask else x * 2",
    "a tensor that is always given": "def f(x: Tensor, flag: Tensor):\n    return x if flag else x * 2",
    "another optional argument": "def f(x: Tensor, y=None, z=None):\n    return x + (y or z)",
    "a number instead of an argument": "def f(x: Tensor, scale=None):\n    return x * (scale or 2)",
}


@pytest.mark.parametrize("case", QUIET)
def test_other_arguments_are_not_reported(tmp_path: Path, case: str) -> None:
    assert found_in(tmp_path, QUIET[case]) == []


def test_an_argument_that_replaces_one_is_chosen_by_none(tmp_path: Path) -> None:
    source = """
        class Net(nn.Module):
            def forward(self, x, context=None):
                b, n, d = x.shape
                return (context or x).reshape(b, n * d)
    """
    ((code, message),) = found_in(tmp_path, source)
    assert code == "off-default"
    assert "use `x if context is None else context` (fails whenever context is given)" in message
