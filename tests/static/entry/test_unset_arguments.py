"""Constructors that replace None: `scale = scale or dim ** -0.5` leaves the shapes of what it scales known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a scale": """
        class Attention(nn.Module):
            def __init__(self, dim, heads, scale=None):
                super().__init__()
                self.heads, self.width = heads, dim // heads
                self.scale = scale or self.width ** -0.5
                self.qk = nn.Linear(dim, 2 * dim)

            def forward(self, x):
                b, n, c = x.shape
                q, k = self.qk(x).reshape(b, n, 2, self.heads, self.width).permute(2, 0, 3, 1, 4)
                out = (q * self.scale) @ k.transpose(-2, -1) @ k
                return out.reshape(b, n, c)  # HERE
        """,
    "a width": """
        class Attention(nn.Module):
            def __init__(self, dim, width=None, heads=4):
                super().__init__()
                width = width or dim
                assert width % heads == 0
                self.heads, self.width = heads, width
                self.scale = (width // heads) ** -0.5
                self.qkv = nn.Conv2d(dim, 3 * width, 1)

            def forward(self, x):
                b, c, h, w = x.shape
                x = self.qkv(x).reshape(b, -1, self.width // self.heads, h * w).transpose(-1, -2)
                q, k, v = torch.split(x, self.heads, dim=1)
                out = (q @ k.transpose(-1, -2) * self.scale).softmax(dim=-1) @ v
                return out.transpose(1, 2).reshape(b, self.width, h, w)  # HERE
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_a_shuffling_reshape_is_found(name: str, tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "axis-order")


def test_the_right_order_is_quiet(tmp_path: Path) -> None:
    scale = FOUND["a scale"].replace("out.reshape", "out.transpose(1, 2).reshape")
    width = FOUND["a width"].replace("out.transpose(1, 2).reshape", "out.transpose(2, 3).reshape")
    assert reported(tmp_path, scale) == []
    assert reported(tmp_path, width) == []
