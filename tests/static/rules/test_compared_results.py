"""constant-comparison: values and indices compared with a tensor."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from .programs import reported

FOUND = {
    "torch.max(out, 1) == labels": "`torch.max(out, 1) == labels` is always false: torch.max(out, 1) is a tuple of "
    "values and indices, not a tensor; compare one of them",
    "labels != out.topk(1)": "`labels != out.topk(1)` is always true: out.topk(1) is a tuple of values and indices, "
    "not a tensor; compare one of them",
}
QUIET = ["out.max(1)[1] == labels", "out.max(1).indices == labels", "out.max() == labels", "out.argmax(1) == labels"]


def program(expression: str) -> str:
    return f"""
        def correct(out: Tensor, labels: Tensor):
            return {expression}
        """


@pytest.mark.parametrize("expression", FOUND)
def test_found(expression: str, tmp_path: Path) -> None:
    assert [message for _, _, message in reported(tmp_path, program(expression))] == [FOUND[expression]]
    result = eval(expression, {"torch": torch, "out": torch.rand(3, 4), "labels": torch.ones(3)})
    assert result is ("!=" in expression)


@pytest.mark.parametrize("expression", QUIET)
def test_quiet(expression: str, tmp_path: Path) -> None:
    assert reported(tmp_path, program(expression)) == []
