"""Lists of the sizes of a tensor of unknown rank: what changes the list changes the shapes made from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

NET = """
from shapecheck import reveal_shape

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        y = self.fc(x)
        s = list(x.shape)
        {change}
        return {result}
"""
CHANGED = {
    "s[-1] = 4": "(..., 4)",
    "s[-1] *= 2": "(..., 16)",
    "s.append(3)": "(..., 8, 3)",
    "s += [3]": "(..., 8, 3)",
    "s.extend((1, 2))": "(..., 8, 1, 2)",
    "s.insert(0, 3)": "(3, ..., 8)",
    "s.insert(-1, 3)": "(..., 3, 8)",
    "s.append(len(x))": "(..., 8, ?)",
    "s.pop()": "(...)",
    "s.pop(0)": "(...)",
    "del s[-1]": "(...)",
    "s.remove(8)": "(...)",
    "s.reverse()": "(...)",
    "s[1:2] = [3]": "(...)",
    "self.s = s; self.s[-1] = 4; s = self.s": "(..., 4)",
    "s.count(8)": "(..., 8)",
    "s.index(8)": "(..., 8)",
}


def found_in(folder: Path, change: str, result: str) -> list[str]:
    path, _ = lines_of(folder, NET.format(change=change, result=result))
    return [one.message for one in check([path])]


@pytest.mark.parametrize("change", CHANGED)
def test_a_change_of_the_list_changes_the_shape(tmp_path: Path, change: str) -> None:
    assert found_in(tmp_path, change, "reveal_shape(x.new_zeros(s))") == [CHANGED[change]]


def test_a_sum_with_a_tensor_of_the_changed_shape_is_accepted(tmp_path: Path) -> None:
    assert found_in(tmp_path, "s[-1] = 4", "y + x.new_zeros(s)") == []


def test_a_sum_with_a_tensor_of_another_shape_is_reported(tmp_path: Path) -> None:
    (message,) = found_in(tmp_path, "s[-1] = 5", "y + x.new_zeros(s)")
    assert message == "add: cannot broadcast (..., 4) and (..., 5): 4 != 5 in dimension -1"
