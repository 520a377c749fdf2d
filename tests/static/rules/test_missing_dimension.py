"""shape-mismatch of sizes that may be equal: the batch dimension of an operand is aligned with another dimension."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

ATTENTION = """
class Attention(nn.Module):
    def __init__(self, dim: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * heads * 64)

    def forward(self, x, ids: Tensor):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, 64).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1)
        padding = x.new_zeros(b, t, dtype=torch.bool)
        pairs = x.new_zeros(b, t, t, dtype=torch.bool)
        causal = torch.ones(t, t, dtype=torch.bool, device=x.device).tril()
        mean = x.mean(1)
        {}
        return scores @ v
"""

FOUND = {
    "a mask of pairs": 'scores = scores.masked_fill(pairs, float("-inf"))',
    "a padding mask": 'scores = scores.masked_fill(padding, float("-inf"))',
    "a padding mask with one dimension too few": 'scores = scores.masked_fill(padding[:, None], float("-inf"))',
    "in place": 'scores.masked_fill_(pairs, float("-inf"))',
    "an added mask": "scores = scores + pairs.float()",
    "a product": "scores = pairs.float() * scores",
    "where": "scores = torch.where(pairs, scores, -1e9)",
    "attn_mask": "return F.scaled_dot_product_attention(q, k, v, attn_mask=pairs)",
    "attn_mask by position": "return F.scaled_dot_product_attention(q, k, v, pairs)",
    "a vector for each sample, added to tokens": "x = x + mean",
    "a weight for each token": "x = x * padding.float()",
}

QUIET = {
    "with a dimension for the heads": 'scores = scores.masked_fill(pairs[:, None], float("-inf"))',
    "with dimensions for heads and queries": 'scores = scores.masked_fill(padding[:, None, None], float("-inf"))',
    "a mask for all samples": 'scores = scores.masked_fill(~causal, float("-inf"))',
    "attn_mask for all samples": "return F.scaled_dot_product_attention(q, k, v, attn_mask=causal)",
    "attn_mask with heads": "return F.scaled_dot_product_attention(q, k, v, attn_mask=pairs[:, None])",
    "tokens": "x = x + mean[:, None]",
    "a vector for each token": "x = x * padding.float()[..., None]",
    "a position for all samples": "x = x + x.new_zeros(t, d)",
    "sizes that are known": "y = torch.zeros(2, 3, 3) + torch.zeros(3, 3)",
    "one vector": "x = x + x.new_zeros(d)",
    "another size": "x = x + x.new_zeros(self.heads, d)",
    "heads in the batch": "y = scores.reshape(b * self.heads, t, t) + pairs.repeat_interleave(self.heads, 0)",
}


@pytest.mark.parametrize("statement", FOUND.values(), ids=FOUND)
def test_found(statement: str, tmp_path: Path) -> None:
    source = ATTENTION.format(f"{statement}  # HERE")
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")


@pytest.mark.parametrize("statement", QUIET.values(), ids=QUIET)
def test_quiet(statement: str, tmp_path: Path) -> None:
    assert reported(tmp_path, ATTENTION.format(statement)) == []


def test_the_message_shows_the_shape_that_is_expected(tmp_path: Path) -> None:
    source = ATTENTION.format("scores = scores.masked_fill(padding, 0.0)")
    ((_, _, message),) = reported(tmp_path, source)
    assert message == (
        "masked_fill: cannot broadcast (b, t) and (b, heads, t, t) unless b and t are equal; expected (b, 1, 1, t)"
    )


def test_one_finding_if_the_sizes_are_known_to_differ_in_a_call(tmp_path: Path) -> None:
    source = """
        def masked(x: Tensor, mask: Tensor):
            b, h, t, _ = x.shape
            return x + mask.view(b, t, t)  # HERE

        masked(torch.zeros(2, 3, 4, 4), torch.zeros(2, 4, 4))
        """
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")


def test_an_unknown_number_of_heads(tmp_path: Path) -> None:
    source = """
        def masked(x: Tensor, mask: Tensor, heads):
            b, t, d = x.shape
            q = x.view(b, t, heads, d // heads).transpose(1, 2)
            return (q @ q.transpose(2, 3)).masked_fill(x.new_ones(b, 1, t) == 0, 0.0)  # HERE
        """
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")


def test_pairs_of_an_unknown_number(tmp_path: Path) -> None:
    source = """
        def offsets(x: Tensor, other):
            n, d = x.shape
            return x.view(n, 1, d).expand(n, other, d) - x
        """
    assert reported(tmp_path, source) == []
