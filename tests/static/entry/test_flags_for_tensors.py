"""`def forward(self, x, state=False)`: False marks a tensor that is not passed, which nothing subtracts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import reported

CELL = """
class Base(nn.Module):
    def __init__(self, threshold=1.0):
        super().__init__()
        self.register_buffer("threshold", torch.as_tensor(threshold))

    def reset(self, state):
        return {}

class Cell(Base):
    def forward(self, x, state=False):
        if hasattr(state, "is_first"):
            state = torch.zeros_like(x)
        return self.reset(state)
"""


@pytest.mark.parametrize("difference", ["state - self.threshold", "self.threshold - state"])
def test_quiet(difference: str, tmp_path: Path) -> None:
    assert reported(tmp_path, CELL.format(difference)) == []


def test_a_difference_of_masks_is_found(tmp_path: Path) -> None:
    ((_, code, _),) = reported(tmp_path, CELL.format("state - (self.threshold > 0)"))
    assert code == "dtype-mismatch"
