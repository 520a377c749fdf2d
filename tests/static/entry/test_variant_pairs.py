"""Off the defaults: a flag selects the branch that treats an optional tensor; what fails names both."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

FOUND = {
    "a flag of the constructor and a tensor": (
        """
        class Attention(nn.Module):
            def __init__(self, fused: bool = True):
                super().__init__()
                self.fused, self.qk, self.bias = fused, nn.Linear(64, 128), nn.Linear(4, 8)

            def forward(self, x: Float[Tensor, "b t 64"], extra=None):
                q, k = self.qk(x).chunk(2, -1)
                if self.fused:
                    return F.scaled_dot_product_attention(q, k, k)
                scores = q @ k.transpose(1, 2)
                if extra is not None:
                    scores = scores * self.bias(extra).mean() + self.qk(extra).mean()  # HERE
                return scores
        """,
        "fails whenever fused=False and extra is given",
    ),
    "two flags of a method": (
        """
        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)

            def forward(self, x: Float[Tensor, "b 8"], wide: bool = False, twice: bool = False):
                if wide:
                    x = self.up(x)
                    if twice:
                        x = self.up(x)  # HERE
                return x
        """,
        "fails whenever wide=True and twice=True",
    ),
    "two flags of a function": (
        """
        def scores(x: Float[Tensor, "b 8"], wide: bool = False, twice: bool = False):
            if wide:
                x = torch.cat([x, x], 1)
                if twice:
                    x = x + torch.zeros(8)  # HERE
            return x
        """,
        "fails whenever wide=True and twice=True",
    ),
}
QUIET = {
    "a branch that works": """
        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)

            def forward(self, x: Float[Tensor, "b 8"], wide: bool = False, twice: bool = False):
                if wide:
                    x = self.up(x)
                    if twice:
                        x = self.up(self.down(x))
                return x
        """,
    "flags that exclude each other": """
        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)

            def forward(self, x: Float[Tensor, "b 8"], wide: bool = False, twice: bool = False):
                if wide:
                    if twice:
                        raise ValueError("wide and twice exclude each other")
                    x = self.up(x)
                if twice:
                    x = self.down(self.up(x))
                return x
        """,
    "a failure outside of the branches": """
        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)

            def forward(self, x: Float[Tensor, "b 8"], wide: bool = False, twice: bool = False):
                if wide:
                    y = self.up(x)
                    if twice:
                        x = y
                return self.up(x)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, condition = FOUND[name]
    path, text = lines_of(tmp_path, source)
    (one,) = check([path])
    assert one.code == "off-default"
    assert text.splitlines()[one.line - 1].endswith("# HERE")
    assert one.message.endswith(f"({condition})")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []
