"""Products of batches whose operands have two sizes in exchanged dimensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

MODEL = """class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.inner = nn.Linear(width, 3 * width)
        self.heads = heads

    def forward(self, x: Tensor):
        b, t, c = x.shape
        split = [one.view(b, t, self.heads, c // self.heads) for one in self.inner(x).chunk(3, dim=-1)]
        q, k, v = split
"""
ATTENTION = "F.scaled_dot_product_attention"
FOUND = {
    "keys": f"        return {ATTENTION}(q.transpose(1, 2), k, v.transpose(1, 2))  # HERE\n",
    "queries by name": f"        return {ATTENTION}(query=q, key=k.transpose(1, 2), value=v.transpose(1, 2))  # HERE\n",
    "queries in another order": f"        return {ATTENTION}(q.transpose(0, 2), k.transpose(1, 2), v.transpose(1, 2))"
    "  # HERE\n",
    "values": f"        return {ATTENTION}(q.transpose(1, 2), k.transpose(1, 2), v)  # HERE\n",
    "keys of features": "        q, k, v = q.transpose(1, 2), k.permute(0, 2, 3, 1), v.transpose(1, 2)\n"
    f"        return {ATTENTION}(q, k, v)  # HERE\n",
    "scores": "        return q.transpose(1, 2) @ k.transpose(-2, -1)  # HERE\n",
    "values before scores": "        s = q.transpose(1, 2) @ k.permute(0, 2, 3, 1)\n"
    "        return v.transpose(1, 2) @ s.softmax(-1)  # HERE\n",
    "keys before queries": "        s = k.permute(0, 2, 3, 1) @ q.transpose(1, 2)\n"
    "        return s.softmax(-1) @ v.transpose(1, 2)  # HERE\n",
    "keys that are not transposed": "        return q.transpose(1, 2) @ k.transpose(1, 2)  # HERE\n",
    "a function": "        return torch.matmul(q, k.transpose(1, 2).transpose(-2, -1))  # HERE\n",
}
QUIET = {
    "the same order": f"        return {ATTENTION}(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2))\n",
    "heads of a token": f"        return {ATTENTION}(q, k, v)\n",
    "scores": "        return q.transpose(1, 2) @ k.permute(0, 2, 3, 1)\n",
    "values after scores": "        s = q.transpose(1, 2) @ k.permute(0, 2, 3, 1)\n"
    "        return s.softmax(-1) @ v.transpose(1, 2)\n",
    "values after covariances": "        s = k.permute(0, 2, 3, 1) @ q.transpose(1, 2)\n"
    "        return v.transpose(1, 2) @ s.softmax(-1)\n",
    "queries and keys that are transposed": "        return q.transpose(1, 2).transpose(-2, -1) @ k.transpose(1, 2)\n",
    "another size": "        return q.transpose(1, 2) @ x.new_zeros(b, self.heads, c // self.heads, 3)\n",
    "one head": "        return q.transpose(1, 2) @ x.new_zeros(b, 1, c // self.heads, t)\n",
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    source = MODEL + FOUND[case]
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert "do not match unless" in message


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    assert reported(tmp_path, MODEL + QUIET[case]) == []


def test_two_attributes_of_a_model_may_always_be_equal(tmp_path: Path) -> None:
    source = """class Relations(nn.Module):
    def __init__(self, nodes: int, others: int, width: int):
        super().__init__()
        self.left = nn.Parameter(torch.zeros(nodes, others, width))
        self.right = nn.Parameter(torch.zeros(others, width, nodes))

    def forward(self, x: Tensor):
        return x + self.left @ self.right
"""
    assert reported(tmp_path, source) == []
