"""shape-mismatch of `torch.cat` along another dimension than the one in which two tensors differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FUNCTION = """
def f(x: Tensor, ids: Tensor, steps: int):
    b, t, c = x.shape
    n, length = ids.shape
    new = torch.zeros(n, 1, dtype=torch.int64)
    {}
"""
FOUND = {
    "a loop that appends": "for _ in range(steps):\n        ids = torch.cat((ids, new), dim=0)  # HERE\n    return ids",
    "a loop that puts in front": "while steps > 0:\n        ids = torch.cat([new, ids])  # HERE\n    return ids",
    "the mean and its tensor": "return torch.cat([x.mean(1, keepdim=True), x], dim=0)  # HERE",
    "the mean along the last dimension": "return torch.cat([x, x.mean(1, keepdim=True)], dim=-1)  # HERE",
}
QUIET = {
    "a loop that appends": "for _ in range(steps):\n        ids = torch.cat((ids, new), dim=1)\n    return ids",
    "the mean and its tensor": "return torch.cat([x.mean(1, keepdim=True), x], dim=1)",
    "two tensors": "return torch.cat([x, torch.zeros(b, 1, c)], dim=0)",
    "another variable": "for _ in range(steps):\n        longer = torch.cat((ids, new), dim=0)\n    return longer",
    "two dimensions": "return torch.cat([x.mean((1, 2), keepdim=True), x], dim=0)",
    "three tensors": "return torch.cat([x, x.mean(1, keepdim=True), x], dim=1)",
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    source = FUNCTION.format(FOUND[case])
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert message.endswith("along dimension 1 they match")


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    assert reported(tmp_path, FUNCTION.format(QUIET[case])) == []
