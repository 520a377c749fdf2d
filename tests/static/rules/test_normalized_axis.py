"""normalized-axis: weights that are not normalized over the dimension which the product with the values sums over."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
import torch

from .programs import HEAD, place, reported

IMPORTS = "from einops import einsum as named_einsum\nfrom einops import rearrange\nfrom torch import einsum\n"
LAYER = """
class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, dim * 3)
        self.attend = nn.Softmax(dim={axis})
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        q, k, v = (rearrange(one, "b n (h d) -> b h n d", h=self.heads) for one in self.to_qkv(x).chunk(3, dim=-1))
        weights = self.drop(self.attend(torch.matmul(q, k.transpose(-1, -2)) / 8))
        return torch.matmul(weights, v)  # HERE
"""
FUNCTION = """
def attend(q: Float[Tensor, "b q d"], k: Float[Tensor, "b k d"], v: Float[Tensor, "b k e"]):
    scores = {scores}
    weights = {weights}
    return {product}  # HERE
"""
SCORES = "q @ k.transpose(-2, -1)"
FOUND = {
    "the queries": (SCORES, "scores.softmax(dim=1)", "weights @ v"),
    "the queries, from the end": (SCORES, "torch.softmax(scores, -2)", "torch.bmm(weights, v)"),
    "the batch": (SCORES, "F.softmax(scores, dim=0)", "weights @ v"),
    "behind a mask": (SCORES, "F.softmax(scores, dim=1).masked_fill(scores == 0, 0.0)", "weights @ v"),
    "behind dropout": (SCORES, "F.dropout(scores.softmax(dim=1), 0.1)", "weights @ v"),
    "with a bias": (f"{SCORES} * 0.5 + torch.ones(1, 1)", "scores.softmax(dim=1)", "weights @ v"),
    "einsum": ('einsum("b q d, b k d -> b q k", q, k)', "scores.softmax(1)", 'einsum("bqk,bke->bqe", weights, v)'),
    "einsum in another order": (
        'torch.einsum("bqd,bkd->bkq", q, k)',
        "scores.softmax(2)",
        'einsum("bke,bkq->bqe", v, weights)',
    ),
    "einops": (SCORES, "scores.softmax(1)", 'named_einsum(weights, v, "b query key, b key e -> b query e")'),
}
QUIET = {
    "the keys": (SCORES, "scores.softmax(dim=-1)", "weights @ v"),
    "the keys, from the start": (SCORES, "scores.softmax(dim=2)", "weights @ v"),
    "transposed": ("k @ q.transpose(-2, -1)", "scores.softmax(dim=1)", "weights.transpose(1, 2) @ v"),
    "slots that compete": (
        SCORES,
        "(lambda shares: shares / shares.sum(-1, keepdim=True))(scores.softmax(dim=1))",
        "weights @ v",
    ),
    "einsum over the keys": (
        'torch.einsum("bqd,bkd->bkq", q, k)',
        "scores.softmax(1)",
        'einsum("bkq,bke->bqe", weights, v)',
    ),
    "a chain of transitions": (SCORES, "scores.softmax(dim=2)", "v.transpose(1, 2) @ weights.transpose(1, 2)"),
    "no product": ("q.sum(-1)[:, :, None] + k.sum(-1)[:, None]", "scores.softmax(dim=1)", "weights @ v"),
}
CENTERS = """
class Assignment(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(n, dim))
        self.register_buffer("known", torch.randn(n, dim))
        self.embedding = nn.Embedding(n, dim)

    def forward(self, x):
        return F.softmax({centers} @ x.transpose(-2, -1), dim=-2) @ x
"""


def program(parts: tuple[str, str, str]) -> str:
    scores, weights, product = parts
    return IMPORTS + FUNCTION.format(scores=scores, weights=weights, product=product)


def result_of(source: str) -> torch.Tensor:
    names: dict[str, object] = {}
    exec(compile(ast.parse(HEAD + textwrap.dedent(source)), "program", "exec"), names)
    attend = names["attend"]
    assert callable(attend)
    result: torch.Tensor = attend(torch.randn(2, 5, 4), torch.randn(2, 7, 4), torch.ones(2, 7, 3))
    return result


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source = program(FOUND[name])
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "normalized-axis")
    assert message.endswith(" to softmax")


def test_what_the_message_names(tmp_path: Path) -> None:
    ((_, _, message),) = reported(tmp_path, program(FOUND["the queries"]))
    assert message == (
        "@: sums over dimension -1 of the attention weights (b, q, k), but softmax normalized dimension 1; "
        "pass dim=-1 to softmax"
    )


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, program(QUIET[name])) == []


@pytest.mark.parametrize("product", ["weights[0, 0, 0] @ v", 'einsum("bq,bke->bqe", weights, v)', "weights[0, 0] @ v"])
def test_a_product_of_other_ranks_is_left_to_torch(product: str, tmp_path: Path) -> None:
    codes = {code for _, code, _ in reported(tmp_path, program((SCORES, "scores.softmax(1)", product)))}
    assert codes <= {"shape-mismatch"}


@pytest.mark.parametrize("name", ["the queries", "the batch", "einsum in another order", "einops"])
def test_a_mean_of_ones_is_not_one(name: str) -> None:
    """Of values that are all one, attention returns ones, unless the weights are normalized over another dimension."""
    assert not torch.allclose(result_of(program(FOUND[name])), torch.ones(()), atol=1e-2)


@pytest.mark.parametrize("name", ["the keys", "the keys, from the start", "slots that compete"])
def test_a_mean_of_ones_is_one(name: str) -> None:
    assert torch.allclose(result_of(program(QUIET[name])), torch.ones(()))


@pytest.mark.parametrize("axis", [-2, -3, 0])
def test_a_layer_with_several_heads(axis: int, tmp_path: Path) -> None:
    source = IMPORTS + LAYER.format(axis=axis)
    assert [(line, code) for line, code, _ in reported(tmp_path, source)] == [(place(source), "normalized-axis")]


def test_a_layer_that_normalizes_the_keys(tmp_path: Path) -> None:
    assert reported(tmp_path, IMPORTS + LAYER.format(axis=-1)) == []


@pytest.mark.parametrize(
    "centers", ["self.centers", "self.known", "self.embedding.weight", "self.centers.unsqueeze(0)"]
)
def test_items_that_are_assigned_to_centers(centers: str, tmp_path: Path) -> None:
    assert reported(tmp_path, CENTERS.format(centers=centers)) == []


UNPACKED = """
class Attention(nn.Module):
    is_fused = True

    def __init__(self, dim):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        b, t, d = q.shape
        if Attention.is_fused:
            return F.scaled_dot_product_attention(q, k, v)
        return (q @ k.transpose(-2, -1)).softmax(-2) @ v  # HERE


def without_fusion():
    Attention.is_fused = False
"""


def test_queries_whose_sizes_are_unpacked_in_a_branch_for_another_mode(tmp_path: Path) -> None:
    assert [(line, code) for line, code, _ in reported(tmp_path, UNPACKED)] == [(place(UNPACKED), "normalized-axis")]
