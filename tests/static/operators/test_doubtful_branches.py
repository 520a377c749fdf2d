"""Refusals in a branch on a condition that is not decided, which may exclude the operands."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
import os
from elsewhere import fast, masked


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x, mask=None):
{body}


def main():
    return Net().float()(torch.zeros(2, 8){more})
"""
QUIET = {
    "a comparison with a default None": "if masked:\n    return self.fc(x) / torch.sum(mask == 1)\nreturn self.fc(x)",
    "another comparison": "if masked:\n    return self.fc(x) * torch.mean(mask != 0)\nreturn self.fc(x)",
    "half precision": "if fast:\n    return self.fc(x.half())\nreturn self.fc(x)",
    "bfloat16": 'if os.environ.get("AMP"):\n    return self.fc(x.to(torch.bfloat16))\nreturn self.fc(x)',
    "half precision of one of two branches": "y = self.fc(x.half()) if fast else self.fc(x)\nreturn y",
}
FOUND = {
    "a comparison outside of a branch": "return self.fc(x) / torch.sum(mask == 1)",
    "half precision outside of a branch": "return self.fc(x.half())",
    "another dtype": "if fast:\n    return self.fc(x.long())\nreturn self.fc(x)",
    "a rank": "if fast:\n    return self.fc(x.half().permute(0, 2, 1))\nreturn self.fc(x)",
    "a keyword": "if masked:\n    return F.interpolate(x, align_corners=True, sizes=3)\nreturn self.fc(x)",
}


def messages(folder: Path, body: str, more: str = "") -> list[str]:
    body = body.replace("\n", "\n        ")
    path, _ = lines_of(folder, PROGRAM.format(body=f"        {body}", more=more))
    return [one.message for one in check([path])]


@pytest.mark.parametrize("name", QUIET)
def test_operands_that_the_condition_may_exclude_are_not_reported(name: str, tmp_path: Path) -> None:
    assert not messages(tmp_path, QUIET[name])


@pytest.mark.parametrize("name", FOUND)
def test_other_refusals_are_reported(name: str, tmp_path: Path) -> None:
    assert messages(tmp_path, FOUND[name])


def test_a_mask_of_another_shape_is_reported(tmp_path: Path) -> None:
    body = "if masked:\n    return self.fc(x) / torch.sum(mask == 1, dim=2)\nreturn self.fc(x)"
    assert messages(tmp_path, body, ", torch.zeros(2, 4)")
