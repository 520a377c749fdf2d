"""Losses as layers: each keeps its configuration and calls the function of `torch.nn.functional`."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.modules.distance import PairwiseDistance
from shapecheck.ops.rules import loss, loss_class, loss_pairs
from shapecheck.ops.rules.loss_sequence import Lengths, ctc_loss
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.loss_reduction import Legacy, mode_of
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, ShapeError


class _Loss(ModuleSpec):
    def __init__(self, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean") -> None:
        given = size_average is not None or reduce is not None
        self.reduction = mode_of(reduction, size_average, reduce) if given else reduction


class _WeightedLoss(_Loss):
    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        reduce: Legacy = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.weight = weight


@module("nn.L1Loss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class L1Loss(_Loss):
    """Two tensors broadcast."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors broadcast."""
        return loss.l1_loss(input, target, reduction=self.reduction)


@module("nn.MSELoss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class MSELoss(_Loss):
    """Two floating tensors broadcast."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two floating tensors broadcast."""
        return loss.mse_loss(input, target, reduction=self.reduction)


@module("nn.SmoothL1Loss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class SmoothL1Loss(_Loss):
    """Two floating tensors broadcast."""

    def __init__(
        self, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean", beta: float = 1.0
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two floating tensors broadcast."""
        return loss.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


@module("nn.HuberLoss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class HuberLoss(_Loss):
    """Two floating tensors broadcast."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        if isinstance(delta, (complex, str)):
            raise CallError(f"delta must be a float or an int, not {delta!r}")
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two floating tensors broadcast."""
        return loss.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


@module("nn.BCELoss", traits=Trait.BATCH_FIRST)
class BCELoss(_WeightedLoss):
    """Probabilities and targets of one shape and one floating dtype."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Probabilities and targets of one shape and one floating dtype."""
        return loss.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


@module("nn.BCEWithLogitsLoss", traits=Trait.BATCH_FIRST)
class BCEWithLogitsLoss(_Loss):
    """Logits and targets of one shape."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        reduce: Legacy = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Logits and targets of one shape."""
        return loss.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


@module("nn.KLDivLoss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class KLDivLoss(_Loss):
    """Two floating tensors broadcast."""

    def __init__(
        self, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean", log_target: bool = False
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two floating tensors broadcast."""
        return loss.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


@module("nn.PoissonNLLLoss", traits=Trait.BROADCASTING_LOSS)
class PoissonNLLLoss(_Loss):
    """Two tensors broadcast to a floating result."""

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: Legacy = None,
        eps: float = 1e-8,
        reduce: Legacy = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """Two tensors broadcast to a floating result."""
        return loss.poisson_nll_loss(log_input, target, self.log_input, self.full, None, self.eps, None, self.reduction)


@module("nn.GaussianNLLLoss", traits=Trait.BROADCASTING_LOSS)
class GaussianNLLLoss(_Loss):
    """Input and target broadcast; the variance has the input's shape, lacks its last axis or has 1 in one."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        """Input and target broadcast; the variance has the input's shape, lacks its last axis or has 1 in one."""
        return loss.gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)


@module("nn.HingeEmbeddingLoss", traits=Trait.BROADCASTING_LOSS)
class HingeEmbeddingLoss(_Loss):
    """Distances and targets of 1 and -1 broadcast."""

    def __init__(
        self, margin: float = 1.0, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Distances and targets of 1 and -1 broadcast."""
        return loss.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


@module("nn.SoftMarginLoss")
class SoftMarginLoss(_Loss):
    """A target that broadcasts to the floating input."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """A target that broadcasts to the floating input."""
        return loss.soft_margin_loss(input, target, reduction=self.reduction)


@module("nn.MultiLabelSoftMarginLoss")
class MultiLabelSoftMarginLoss(_WeightedLoss):
    """(..., C) with a target and a weight that broadcast gives one loss for each row, (...)."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(..., C) with a target and a weight that broadcast gives one loss for each row, (...)."""
        return loss.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


@module("nn.CrossEntropyLoss", traits=Trait.BATCH_FIRST)
class CrossEntropyLoss(_WeightedLoss):
    """Scores (N, C, d1, ...) or (C,) with class indices (N, d1, ...) or (), or probabilities of their own shape."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        ignore_index: int = -100,
        reduce: Legacy = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Scores with class indices, or with probabilities of the scores' shape."""
        return loss_class.cross_entropy(
            input, target, self.weight, reduction=self.reduction, label_smoothing=self.label_smoothing
        )


@module("nn.NLLLoss", "nn.NLLLoss2d", traits=Trait.BATCH_FIRST)
class NLLLoss(_WeightedLoss):
    """Log-probabilities (N, C, d1, ...) or (C,) with class indices (N, d1, ...) or ()."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        ignore_index: int = -100,
        reduce: Legacy = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Log-probabilities with class indices."""
        return loss_class.nll_loss(input, target, self.weight, reduction=self.reduction)


@module("nn.MultiMarginLoss")
class MultiMarginLoss(_WeightedLoss):
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
            raise CallError(f"p must be 1 or 2: only these are supported, not {p}")
        if weight is not None and weight.rank not in (1, None):
            raise ShapeError(f"the weight must be one-dimensional, it is {weight.shape}")
        self.p = p
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(N, C) with class indices (N,), or (C,) with (), gives a loss for each index."""
        return loss_class.multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)


@module("nn.MultiLabelMarginLoss")
class MultiLabelMarginLoss(_Loss):
    """(N, C) or (C,) with class indices of the same shape gives (N,) or ()."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(N, C) or (C,) with class indices of the same shape gives (N,) or ()."""
        return loss_class.multilabel_margin_loss(input, target, reduction=self.reduction)


class _MarginLoss(_Loss):
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
class TripletMarginLoss(_Loss):
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
class TripletMarginWithDistanceLoss(_Loss):
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


@module("nn.CTCLoss")
class CTCLoss(_Loss):
    """(T, N, C) with targets (N, S) or all in one row, or (T, C) with (S,), gives (N,) or ()."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Lengths, target_lengths: Lengths) -> Tensor:
        """(T, N, C) with targets (N, S) or all in one row, or (T, C) with (S,), gives (N,) or ()."""
        return ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction)


def _need_margin(margin: float) -> None:
    if isinstance(margin, (int, float)) and margin <= 0:
        raise CallError(f"margin must be greater than 0, got {margin}")
