"""normalized-axis: products of normalized tensors, one of them not along the dimension that is summed over."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch

from .programs import HEAD, place, reported

HEADER = """
class Head(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.by_class = nn.Parameter(torch.randn(classes, features))
        self.by_feature = nn.Parameter(torch.randn(features, classes))
        self.linear = nn.Linear(features, features)

    def forward(self, x: Float[Tensor, "b features"]):
        x = F.normalize(self.linear(x))
"""
FOUND = {
    "F.linear(x, F.normalize(self.by_class, dim=0))": 0,
    "x @ F.normalize(self.by_feature)": 1,
    "x @ F.normalize(self.by_feature, p=2, dim=1)": 1,
    "torch.mm(x, F.normalize(self.by_feature, dim=-1))": -1,
    "torch.matmul(x, F.normalize(self.by_class, dim=0).t())": 0,
    "torch.matmul(x, F.normalize(self.by_class, dim=0).T)": 0,
    "x.float() @ F.normalize(self.by_class, dim=0).transpose(0, 1)": 0,
    "x @ F.normalize(self.by_class, dim=0).transpose(-2, -1).contiguous()": 0,
    'torch.einsum("bf,fc->bc", x, F.normalize(self.by_feature, dim=1))': 1,
}
QUIET = [
    "F.linear(x, F.normalize(self.by_class))",
    "F.linear(x, F.normalize(self.by_class, dim=1))",
    "x @ F.normalize(self.by_feature, dim=0)",
    "x @ F.normalize(self.by_class, dim=1).t()",
    "x @ F.normalize(self.by_class, dim=-1).transpose(0, 1)",
    "x @ self.by_feature",
    "x @ F.normalize(self.by_feature, p=1, dim=1)",  # the columns are not directions
    "x @ (F.normalize(self.by_feature, dim=1) * 2)",
    "x.t() @ x",  # neither is normalized along the batch
]


def program(product: str) -> str:
    return HEADER + f"        return {product}  # HERE\n"


def largest(product: str) -> float:
    names: dict[str, object] = {}
    exec(HEAD + textwrap.dedent(program(product)), names)
    head = names["Head"]
    assert callable(head)
    torch.manual_seed(0)
    return float(head(3, 40)(torch.randn(200, 3)).abs().max())


@pytest.mark.parametrize("product", FOUND)
def test_found(product: str, tmp_path: Path) -> None:
    source = program(product)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "normalized-axis")
    assert message.endswith(
        f"normalize scaled along dimension {FOUND[product]}, so the result is not a cosine similarity"
    )


@pytest.mark.parametrize("product", QUIET)
def test_quiet(product: str, tmp_path: Path) -> None:
    assert reported(tmp_path, program(product)) == []


@pytest.mark.parametrize("product", [*FOUND, *QUIET[:5]])
def test_a_cosine_of_almost_equal_directions_is_almost_one(product: str) -> None:
    """Among 200 vectors of three features and 40 classes, some have nearly the same direction."""
    assert (0.99 < largest(product) < 1.001) is (product in QUIET)
