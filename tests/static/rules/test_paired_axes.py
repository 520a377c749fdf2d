"""shape-mismatch of code that works only if two dimensions of an argument are equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

MODEL = """
class Attention(nn.Module):
    def __init__(self, width: int, heads: int, rows: int):
        super().__init__()
        self.inner = nn.Linear(width, 3 * width)
        self.heads = heads
        self.register_buffer("mask", torch.ones(1, 1, rows, rows).tril())

    def forward(self, x: Tensor, other: Tensor, images: Tensor, pairs: Tensor):
        b, t, c = x.shape
        n, channels, h, w = images.shape
        number, first, second = pairs.shape
        q, k, v = [one.view(b, t, self.heads, c // self.heads).transpose(1, 2) for one in self.inner(x).chunk(3, -1)]
        {}
"""
FOUND = {
    "a product in the other order, and a mask": (
        "s = k.transpose(-2, -1) @ q\n        return s.masked_fill(self.mask[:, :, :t, :t] == 0, 0)  # HERE",
        "width//heads and min(rows, t)",
    ),
    "a product of results": ("return (k.transpose(-2, -1) @ q) @ v  # HERE", "width//heads and t"),
    "a product with rows of samples": ("return x * x.new_zeros(t, 1, c)  # HERE", "b and t"),
    "a condition": ("return torch.where(x.new_ones(t, 1, c) > 0, x, 0)  # HERE", "t and b"),
    "flattened images": ("return images * images.new_zeros(channels, 1, h, w)  # HERE", "n and channels"),
    "products of batches": ("return x.unsqueeze(-1).transpose(0, 1) @ x[:, :, None]  # HERE", "b and t"),
}
QUIET = {
    "attention": "return (q @ k.transpose(-2, -1)).softmax(-1) @ v",
    "the same order": "return x + x.new_zeros(1, t, c)",
    "square images": "return images + images.transpose(2, 3)",
    "square images that are pooled": "return F.max_pool2d(images, 2) + F.max_pool2d(images, 2).transpose(2, 3)",
    "a symmetric tensor": "return pairs + pairs.permute(0, 2, 1) + pairs.permute(1, 0, 2)",
    "square matrices": "return pairs + pairs.transpose(1, 2)",
    "a matrix": "return x[0] + x[0].t()",
    "sizes of two arguments": "return x.new_zeros(n, t, c) + x",
    "a size that is computed from it": "return x.new_zeros(b, t // 2, c) + x[:, ::2]",
    "a size that was compared": "assert b == t\n        return x + x.new_zeros(t, 1, c)",
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    body, equal = FOUND[case]
    source = MODEL.format(body)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert f"unless {equal} are equal" in message


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    assert reported(tmp_path, MODEL.format(QUIET[case])) == []


def test_rows_of_a_table_that_is_longer_than_the_sequence(tmp_path: Path) -> None:
    source = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Embedding(100, 32)
        self.register_buffer("table", torch.zeros(2048, 8))

    def forward(self, tokens: Tensor):
        b, t = tokens.shape
        return self.inner(tokens).view(b, t, 4, 8) * self.table[:t].view(-1, t, 1, 8)
"""
    assert reported(tmp_path, source) == []


def test_a_size_that_divides_by_zero_for_small_numbers(tmp_path: Path) -> None:
    source = """
class Attention(nn.Module):
    def __init__(self, dim, heads=8):
        super().__init__()
        self.heads = heads
        self.inner = nn.Conv2d(dim, dim * 3, 1)

    def forward(self, x):
        b, c = x.shape[:2]
        pooled = self.inner(x.mean((2, 3), keepdim=True))
        q, k, v = pooled.reshape(b, 3, self.heads, c // self.heads, -1).unbind(1)
        return x + (q @ k.transpose(-2, -1) @ v).reshape(b, c, 1, 1)
"""
    assert reported(tmp_path, source) == []
