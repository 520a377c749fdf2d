"""Layers that compare the rows of two tensors."""

from __future__ import annotations

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.loss_pairs import cosine_similarity, pairwise_distance
from shapecheck.ops.shared.arguments import Tensor


@module("nn.PairwiseDistance")
class PairwiseDistance(ModuleSpec):
    """Two tensors broadcast to (..., d), then give (...), or (..., 1) with keepdim."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Two tensors broadcast to (..., d), then give (...), or (..., 1) with keepdim."""
        return pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


@module("nn.CosineSimilarity")
class CosineSimilarity(ModuleSpec):
    """Two tensors broadcast, then lose the dimension `dim`."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Two tensors broadcast, then lose the dimension `dim`."""
        return cosine_similarity(x1, x2, self.dim, self.eps)
