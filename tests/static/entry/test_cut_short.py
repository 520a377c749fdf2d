"""Code that takes too many steps: what was found until then is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from shapecheck.static.engine import budget
from tests.static.programs import lines_of

LONG = "\n".join(f"    settings[{number}] = settings.get(x, 0) + {number}" for number in range(200))
FUNCTION = "def work(x: Tensor, settings):\n    y = {first}\n    z = {second}\n{rest}\n    return y, z\n"
FOUND = {
    "an operator": ("x.permute(0, 2, 1)", "y.transpose(1, 3)"),
    "a layer": ("nn.Linear(4, 8)(x)", "nn.Linear(4, 8)(y)"),
}
BATCHED = ("nn.Conv2d(3, 8, 3)(x)", "y.permute(1, 2, 0)")
"""Works for an image without a batch axis."""


def _codes(folder: Path, first: str, second: str, rest: str = LONG) -> list[str]:
    path, _ = lines_of(folder, FUNCTION.format(first=first, second=second, rest=rest))
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_before_is_reported(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _codes(tmp_path, *FOUND[name]) == ["shape-mismatch"]
    monkeypatch.setattr(budget, "MOST_STEPS", 200)
    assert _codes(tmp_path, *FOUND[name]) == ["shape-mismatch"]


def test_what_comes_later_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later = LONG + "\n    torch.zeros(2, 3) @ torch.zeros(2, 3)"
    assert _codes(tmp_path, "x", "x", later) == ["shape-mismatch"]
    monkeypatch.setattr(budget, "MOST_STEPS", 200)
    assert _codes(tmp_path, "x", "x", later) == []


def test_an_input_that_may_lack_its_batch_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _codes(tmp_path, *BATCHED) == []
    monkeypatch.setattr(budget, "MOST_STEPS", 200)
    assert _codes(tmp_path, *BATCHED) == []


def test_entry_points_that_come_after_many_steps_may_take_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = FUNCTION.format(first="x", second="x", rest=LONG + "\n    torch.zeros(2, 3) @ torch.zeros(2, 3)")
    path, _ = lines_of(tmp_path, one + one.replace("work", "more"))
    assert len(check([path])) == 2
    monkeypatch.setattr(budget, "LATE_STEPS", 200)
    assert len(check([path])) == 2
    monkeypatch.setattr(budget, "MOST_OF_FILE", 100)
    assert len(check([path])) == 1


def test_entry_points_that_come_after_others_without_an_end_may_take_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = FUNCTION.format(first="x", second="x", rest="\n".join([LONG] * 8)).replace("work", "endless")
    found = FUNCTION.format(first="x", second="x", rest=LONG + "\n    torch.zeros(2, 3) @ torch.zeros(2, 3)")
    path, _ = lines_of(tmp_path, endless + found)
    monkeypatch.setattr(budget, "MOST_STEPS", 4_000)
    monkeypatch.setattr(budget, "LATE_STEPS", 200)
    assert len(check([path])) == 1
    monkeypatch.setattr(budget, "MOST_EXHAUSTED", 1)
    assert len(check([path])) == 0
