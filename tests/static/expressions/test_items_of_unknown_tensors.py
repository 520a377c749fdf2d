"""Items of an argument that is annotated as a tensor and may be a list of tensors have nothing in common."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.diagnostics import Diagnostic
from shapecheck.static import check
from tests.static.programs import HEAD

CLASS = """
class Neck(nn.Module):
    def __init__(self):
        super().__init__()
        self.narrow, self.wide, self.norm = nn.Linear(8, 4), nn.Linear(16, 4), nn.BatchNorm2d(3)

    def forward(self, x: torch.Tensor):
"""

QUIET = {
    "an item of a batch of tokens, which is cast like a tensor": "x = x.to(dtype=torch.half)\nreturn x['tokens']",
    "the last item and the first": "y = x[-1]\nb, n, _ = y.shape\nreturn self.narrow(y) + self.wide(x[0])",
    "items of a slice": "parts = x[:2]\ny = x[-1]\nb, n, _ = y.shape\nreturn self.narrow(y) + self.wide(parts[1])",
    "two items of a slice": "parts = x[1:]\ny = parts[0]\nz = self.narrow(y)\nreturn self.wide(parts[1]) + z",
    "items of different rank": "y, z = x[0], x[1]\nreturn y.permute(0, 2, 1), z.permute(0, 2, 3, 1)",
    "items in a loop": "z = self.wide(x[1])\nfor i in range(2):\n    z = z + self.narrow(x[i]) if i == 0 else z",
}
FOUND = {
    "an item twice": "y = x[-1]\nb, n, _ = y.shape\nreturn self.narrow(y) + self.wide(y)  # HERE",
    "one place twice": "b, n, _ = x[-1].shape\nreturn x[-1].permute(0, 1)  # HERE",
    "an item of a slice twice": "parts = x[1:]\nb, n, _ = parts[0].shape\nreturn parts[0].permute(0, 1)  # HERE",
    "a tensor before": "self.norm(x)\nreturn x[0].permute(0, 2, 3, 1)  # HERE",
    "a tensor after": "y = x[0].permute(0, 2, 3, 1)  # HERE\nreturn self.norm(x)",
    "a tensor with a dtype": "x = x.float()\nb, n, _ = x[0].shape\nreturn x[1].permute(0, 1)  # HERE",
    "a sum": "y = x.sum(0)\nb, n, _ = y[0].shape\nreturn y[1].permute(0, 1)  # HERE",
    "columns": "b, n, _ = x[:, 0].shape\nreturn x[:, 1].permute(0, 1)  # HERE",
}


@pytest.mark.parametrize("body", QUIET.values(), ids=QUIET)
def test_items_of_what_may_be_a_list_differ(body: str, tmp_path: Path) -> None:
    assert not _findings(body, tmp_path)


@pytest.mark.parametrize("body", FOUND.values(), ids=FOUND)
def test_one_item_and_items_of_one_tensor_agree(body: str, tmp_path: Path) -> None:
    lines = [number for number, line in enumerate(_program(body).splitlines(), 1) if "# HERE" in line]
    assert [one.line for one in _findings(body, tmp_path)] == lines


def _program(body: str) -> str:
    return HEAD + CLASS + textwrap.indent(body, " " * 8) + "\n"


def _findings(body: str, folder: Path) -> list[Diagnostic]:
    path = folder / "program.py"
    path.write_text(_program(body))
    return list(check([path]))
