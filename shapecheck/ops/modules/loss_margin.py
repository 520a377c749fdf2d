"""Losses with a margin as layers: each keeps its configuration and calls the function of `torch.nn.functional`."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops.module import module
from shapecheck.ops.modules.distance import PairwiseDistance
from shapecheck.ops.modules.loss import Loss, WeightedLoss
from shapecheck.ops.rules import loss_class, loss_pairs
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.loss_reduction import Legacy
from shapecheck.ops.shared.wording import wrong_rank
from shapecheck.spec import CallError, ShapeError


@module("nn.MultiMarginLoss")
class MultiMarginLoss(WeightedLoss):
    """(N, C) with class indices (N,), or (C,) with (), gives a loss for each index."""

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        reduce: Legacy = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if isinstance(p, (int, float)) and p not in (1, 2):
            raise CallError(f"expected p to be 1 or 2, got {p}")
        if weight is not None and weight.rank not in (1, None):
            raise ShapeError(wrong_rank("the weight", (1,), weight.shape))
        self.p = p
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(N, C) with class indices (N,), or (C,) with (), gives a loss for each index."""
        return loss_class.multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)


@module("nn.MultiLabelMarginLoss")
class MultiLabelMarginLoss(Loss):
    """(N, C) or (C,) with class indices of the same shape gives (N,) or ()."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(N, C) or (C,) with class indices of the same shape gives (N,) or ()."""
        return loss_class.multilabel_margin_loss(input, target, reduction=self.reduction)


class _MarginLoss(Loss):
    def __init__(
        self, margin: float = 0.0, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin


@module("nn.CosineEmbeddingLoss")
class CosineEmbeddingLoss(_MarginLoss):
    """(N, d) twice with a target (N,), or (d,) twice with a target ()."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """(N, d) twice with a target (N,), or (d,) twice with a target ()."""
        return loss_pairs.cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


@module("nn.MarginRankingLoss")
class MarginRankingLoss(_MarginLoss):
    """Three tensors of one rank broadcast."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """Three tensors of one rank broadcast."""
        return loss_pairs.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


@module("nn.TripletMarginLoss")
class TripletMarginLoss(Loss):
    """(..., d) three times, broadcast, gives a loss for each row, (...)."""

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: Legacy = None,
        reduce: Legacy = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        _need_margin(margin)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """(..., d) three times, broadcast, gives a loss for each row, (...)."""
        return loss_pairs.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction
        )


@module("nn.TripletMarginWithDistanceLoss")
class TripletMarginWithDistanceLoss(Loss):
    """As TripletMarginLoss, with a distance of one's own."""

    def __init__(
        self,
        *,
        distance_function: Callable[..., Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction=reduction)
        _need_margin(margin)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """As TripletMarginLoss, with a distance of one's own."""
        return loss_pairs.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


def _need_margin(margin: float) -> None:
    if isinstance(margin, (int, float)) and margin <= 0:
        raise CallError(f"expected margin to be greater than 0, got {margin}")
